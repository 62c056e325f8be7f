"""A mistake in a user's encoder function is one sentence: where it is, what is wrong, and what was perhaps meant."""

from __future__ import annotations

import traceback
from collections.abc import Callable

import numpy as np
import pytest
from numba import config

from holdem_env.compiled import inline
from holdem_env.encoders import EncoderError, action_encoder, observation_encoder

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")


def helper(number):
    return number + 1


@inline
def compiled_helper(number):
    return number + 1


def misspelt_field(t, r, seat, out):
    call = 1
    out[0] = call + t.stakc[seat]


def misspelt_rule(t, r, seat, out):
    out[0] = t.pot / r.big_blnd


def misspelt_local(t, r, seat, out):
    to_call = t.bet_to_match
    out[0] = to_call + to_cal  # noqa: F821 - the mistake


def misspelt_function(t, r, seat, out):
    out[0] = np.sqrtt(t.pot)


def plain_helper(t, r, seat, out):
    out[0] = helper(t.pot)


def text(t, r, seat, out):
    out[0] = "x"


def returns(t, r, seat, out):
    out[0] = 1.0
    return 5.0


def three_arguments(t, r, out):
    out[0] = 1.0


def line_of(function: Callable[..., None], offset: int) -> str:
    return f"{__file__}, line {function.__code__.co_firstlineno + offset}"


@pytest.mark.parametrize(
    ("function", "offset", "words"),
    [
        (misspelt_field, 2, "a table has no field 'stakc'; near are stack"),
        (misspelt_rule, 1, "the rules have no field 'big_blnd'; near are big_blind"),
        (misspelt_local, 2, "there is no name 'to_cal'; near are to_call"),
        (misspelt_function, 1, "module 'numpy' has no attribute 'sqrtt'; near are sqrt"),
        (plain_helper, 1, "it uses 'helper', which is neither a number nor a compiled function"),
        (text, 1, "it writes a text to an array of float32; only numbers can be written"),
        (returns, 2, "it returns a value; an encoder returns nothing"),
        (three_arguments, 0, "takes (t, r, out); it is called with (t, r, seat, out)"),
    ],
)
def test_the_error_is_a_sentence(function: Callable[..., None], offset: int, words: str) -> None:
    with pytest.raises(EncoderError) as caught:
        observation_encoder(size=1)(function)
    message = str(caught.value)
    assert words in message
    assert message.startswith(f"observation encoder {function.__name__!r} ({line_of(function, offset)})")
    assert "\n" not in message
    shown = "".join(traceback.format_exception(caught.value))
    assert shown.count("\n") < 20, shown


def test_an_action_encoder_too() -> None:
    with pytest.raises(EncoderError, match=r"action encoder 'offers' \(.*line \d+\): a table has no field 'rais_max'"):

        @action_encoder(["fold", "all-in"])
        def offers(t, r, choices):
            choices[0] = -1
            choices[1] = t.rais_max


def test_a_compiled_function_may_be_called() -> None:
    @observation_encoder(size=1, high=1e6)
    def calls(t, r, seat, out):
        out[0] = compiled_helper(t.pot)

    assert calls.name == "calls"
