"""The API: a serializer and a view set, as the framework's tutorial has them, and a bulk create in one transaction."""

from django.db import transaction
from django.utils.text import slugify
from rest_framework import serializers, status, viewsets
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.routers import DefaultRouter

from .models import Listing


class ListingSerializer(serializers.ModelSerializer):
    class Meta:
        model = Listing
        fields = "__all__"

    def create(self, values):
        return super().create({"slug": slugify(values["name"]), **values})


class Listings(viewsets.ModelViewSet):
    queryset = Listing.objects.prefetch_related("categories", "tags", "organizers")
    serializer_class = ListingSerializer

    @transaction.atomic
    def create(self, request: Request, *arguments, **options) -> Response:
        return super().create(request, *arguments, **options)

    @action(detail=False, methods=["post"])
    @transaction.atomic
    def bulk(self, request: Request) -> Response:
        serializer = self.get_serializer(data=request.data["listings"], many=True)
        serializer.is_valid(raise_exception=True)
        serializer.save()
        return Response({"data": serializer.data}, status=status.HTTP_201_CREATED)


router = DefaultRouter(trailing_slash=False)
router.register("projects", Listings)
urlpatterns = router.urls
