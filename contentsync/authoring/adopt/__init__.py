"""Propose a config for a repository that was written for another program.

recognise ► collection_choice ─ samples, site_languages, table_formats, excludes
► key_survey ► asset_folder, entry_addresses, syntax_choice, key_settings ► proposed_settings ► adoption
"""
