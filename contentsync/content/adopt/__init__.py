"""Propose a config for a repository that was written for another program.

repository_files ► recognise ► collection_choice, excludes ► site_settings ► key_survey ► key_settings, vocabulary
► config_merge ► trial
"""
