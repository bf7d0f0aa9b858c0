"""Propose a config for a repository that was written for another program.

repository_files ► recognise ► collection_choice ─ language_layout, table_formats, excludes ► site_settings
► key_survey ► asset_folder, syntax_choice, key_settings, vocabulary ► config_merge ► trial ► slug_choice ► trial
"""
