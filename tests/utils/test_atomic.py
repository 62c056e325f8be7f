"""Files are there whole or not at all."""

from __future__ import annotations

import errno
import os

import pytest

from errors import complaint, mentions
from holdem_env.utils.atomic import whole_file, write_atomically


def names(folder) -> list[str]:
    return sorted(found.name for found in folder.iterdir())


@pytest.fixture
def full_disk(monkeypatch):
    def full(handle):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)


def test_bytes_text_and_pieces(tmp_path):
    write_atomically(tmp_path / "bytes", b"\x00\xff")
    write_atomically(str(tmp_path / "text"), "Lisý: 5 ± 1\n")
    with whole_file(tmp_path / "pieces") as file:
        file.write(b"one, ")
        assert names(tmp_path) == ["bytes", "pieces.partial", "text"]
        file.write(b"two")
    assert (tmp_path / "bytes").read_bytes() == b"\x00\xff"
    assert (tmp_path / "text").read_text(encoding="utf-8") == "Lisý: 5 ± 1\n"
    assert (tmp_path / "pieces").read_bytes() == b"one, two"
    assert names(tmp_path) == ["bytes", "pieces", "text"]


def test_what_a_killed_process_left_is_overwritten(tmp_path):
    (tmp_path / "a.partial").write_bytes(b"longer than the new one")
    write_atomically(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert names(tmp_path) == ["a"]


def test_a_full_disk_leaves_the_old_file_or_nothing(tmp_path, full_disk):
    path = tmp_path / "a"
    with pytest.raises(OSError, match=r"a could not be written, the disk is full") as raised:
        write_atomically(path, b"new")
    assert (raised.value.errno, names(tmp_path)) == (errno.ENOSPC, [])
    path.write_bytes(b"old")
    mentions(complaint(write_atomically, path, b"new", kind=OSError), "what was there before is still")
    assert (path.read_bytes(), names(tmp_path)) == (b"old", ["a"])


def test_a_folder_that_is_not_there_is_named(tmp_path):
    message = complaint(write_atomically, tmp_path / "gone" / "a", b"new", kind=FileNotFoundError)
    mentions(message, "gone/a", "could not be written, No such file or directory")


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_on_the_way_leaves_the_old_file(tmp_path, error):
    path = tmp_path / "a"
    path.write_bytes(b"old")

    def write_half():
        with whole_file(path) as file:
            file.write(b"half of it")
            raise error("on the way")

    with pytest.raises(error, match="on the way"):
        write_half()
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == ["a"]


def test_a_folder_that_cannot_be_synced_is_no_error(tmp_path, monkeypatch):
    """The file itself is on the disk by then."""
    sync, handles = os.fsync, []

    def file_only(handle):
        handles.append(handle)
        if len(handles) > 1:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))
        sync(handle)

    monkeypatch.setattr(os, "fsync", file_only)
    write_atomically(tmp_path / "a", b"new")
    assert len(handles) == 2
    assert (tmp_path / "a").read_bytes() == b"new"
