"""Allowed URLs of links, and videos that a frame can show."""

import pytest

from contentsync.model.markup import frame_url, safe_url
from contentsync.model.markup.safe_urls import FRAME_SANDBOX
from tests.browser.xss.payloads import PAYLOADS, VIDEO_ID

YOUTUBE = f"https://www.youtube-nocookie.com/embed/{VIDEO_ID}"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        "http://example.com:8080/a?b=1#c",
        "HTTPS://Example.com/é",
        "mailto:a@example.com",
        "tel:+33-1",
    ],
)
def test_a_safe_url_is_returned(url: str) -> None:
    assert safe_url(url) == url


@pytest.mark.parametrize(
    "value",
    [
        *PAYLOADS["XS-03"],
        *("//example.com/", "/a", "a", "", None, 7, [], "https://", "https:///a", "https://a b/", "https://a\\@b/"),
        *(
            "mailto:",
            "mailto:a b",
            "tel:",
            "ftp://example.com/",
            "https://user@example.com/",
            "https://a/" + "x" * 2_048,
        ),
    ],
)
def test_an_unsafe_url_is_not_returned(value: object) -> None:
    """XS-03, XS-15"""
    assert safe_url(value) is None


@pytest.mark.parametrize(
    ("url", "src"),
    [
        (f"https://www.youtube.com/watch?v={VIDEO_ID}&t=3s", YOUTUBE),
        (f"https://m.youtube.com/watch?list=x&v={VIDEO_ID}", YOUTUBE),
        (f"https://youtu.be/{VIDEO_ID}?si=x", YOUTUBE),
        (f"https://YouTube.com/shorts/{VIDEO_ID}", YOUTUBE),
        (f"https://www.youtube-nocookie.com/embed/{VIDEO_ID}", YOUTUBE),
        ("https://vimeo.com/76979871", "https://player.vimeo.com/video/76979871?dnt=1"),
        ("https://player.vimeo.com/video/76979871", "https://player.vimeo.com/video/76979871?dnt=1"),
    ],
)
def test_a_video_of_a_known_host_is_shown_in_a_frame(url: str, src: str) -> None:
    assert frame_url(url) == src
    assert "allow-top-navigation" not in FRAME_SANDBOX


@pytest.mark.parametrize(
    "url",
    [
        *PAYLOADS["XS-13"],
        f"https://www.youtube.com:8443/watch?v={VIDEO_ID}",
        f"https://notyoutube.com/watch?v={VIDEO_ID}",
        "https://www.youtube.com/watch?v=../../x",
        "https://www.youtube.com/watch",
        "https://www.youtube.com/@somebody",
        "https://vimeo.com/channels/x",
        "https://example.com/video.mp4",
        None,
    ],
)
def test_another_url_is_not_a_video(url: object) -> None:
    """XS-13"""
    assert frame_url(url) is None
