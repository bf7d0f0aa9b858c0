"""The same listings as a project of Django REST framework, as one would write it from its documentation."""
