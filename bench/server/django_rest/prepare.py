"""Makes the tables and what listings refer to; prints a token."""

import json
import sys

import django
from django.core.management import call_command

django.setup()

from django.contrib.auth.models import User  # noqa: E402  # only now
from rest_framework.authtoken.models import Token  # noqa: E402

from .models import Category, Organizer, Tag  # noqa: E402

KINDS = {"categories": (Category, "title"), "tags": (Tag, "title"), "organizers": (Organizer, "name")}

call_command("migrate", verbosity=0, run_syncdb=True)
for field, count in json.loads(sys.argv[1]).items():
    model, title = KINDS[field]
    names = (f"{field.title()} {number}" for number in range(count))
    model.objects.bulk_create(model(**{title: name, "slug": name.lower().replace(" ", "-")}) for name in names)
print(Token.objects.create(user=User.objects.create_user("bench")).key)
