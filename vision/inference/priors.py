"""What is usual at a table, in numbers: the inference believes the unusual only on good evidence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Priors:
    """Chances and times (seconds). All are soft: nothing here forbids anything."""

    misfit: float = 0.004  # a card laid that does not fit its pile
    foreign: float = 0.004  # a card of somebody else, without chaos
    foreign_in_chaos: float = 0.3
    not_open: float = 0.005  # a card from the hand, or from under the top of the waste
    refill_elsewhere: float = 0.004  # a help slot filled from anywhere but the stack
    fitting_taken_back: float = 0.003
    called_taken_back: float = 0.15  # a card that fits and was called, or asked about, for another reason
    misfit_taken_back: float = 0.5
    by_itself: float = 0.01  # a card taken off a pile in plain view with no arm near it
    laid_by_itself: float = 1e-4  # and one laid there
    moved: float = 0.015  # a pile pushed, straightened or taken away
    contested: float = 0.5  # two equal cards under one look, both players' arms over the pile
    beaten: float = 0.3  # a card equal to the top, laid by one whose equal card has just left its place
    merged: float = 0.15  # one more play under the same look, its card seen to vanish
    unseen_play: float = (
        0.0006  # one more play of a card nobody saw vanish; and so much more per second hidden
    )
    unseen_play_per_second: float = 0.01
    hidden_source: float = 0.25  # a card leaves a place that is hidden just then
    unnoticed: float = 0.012  # a card left and its place, though open to view, was not looked at
    swept: tuple[float, float] = (0.8, 4.6)  # so long after that the slow sweep finds it
    seen_source: float = 1e-4  # a card left although its place seems to keep it
    seen_stack: float = 1e-5  # a card of the stack was used though the stack seems to keep all of them
    unseen_turned: float = 0.02  # a card turned and played while the waste was hidden
    waste_changed: float = 2.5  # so much likelier where the waste shows another card since
    unseen_stacked: float = 0.005  # a card of the stack that came to light and left while that was hidden
    turn_mistaken: float = 0.3  # what was taken for a turn was none
    stack_misread: float = 0.03  # a card left the stack just then, though it was read as another
    strayed: float = 0.005  # a card that left its place and was not seen anywhere since

    two_at_once: float = 0.003  # one hand lays two cards on two piles in a moment

    arm_seen: float = 0.995  # an arm that did it was seen over the spot
    arm_share: float = 0.45  # of all that was over it; an arm with more was there for sure
    arm_share_abroad: float = 0.3  # the same at somebody else's place, where the owner's arm is as a rule
    arm_stays: float = 0.3  # seconds for which the arm of one who lays a card is over the pile
    arm_least_share: float = 0.05
    arm_named: float = 0.98  # an arm is taken for the right player's
    arm_in_centre: float = 0.25  # somebody's arm happens to be over a pile
    arm_in_quick_look: float = 0.06  # the same where the pile was out of view for a moment only
    quick_look: float = 0.5
    arm_at_home: float = 0.6  # the owner's arm happens to be over a place
    arm_abroad: float = 0.01  # somebody else's arm happens to be over a place

    unseen_for: float = 2.5  # a card turned up unseen is played within this time
    quickest_turn: float = 0.9  # nobody turns and plays a card within less
    flight: float = 0.6  # a card is out of sight no longer than this, as a rule
    lingering: float = 0.4  # and rarely for so much longer
    held_while_busy: float = 3e-5  # a card kept in the hand while the same player took up others
    slow_flight: float = 8.0  # and never longer
    settle: float = 0.3  # a change is told so long after it happened, as a rule
    covered_holds: float = 0.35  # a cover told is believed for so long without being told again
    least_wait: float = 0.1
    wait: float = 0.3  # for evidence that may still come
    wait_grave: float = 0.9  # where somebody would be accused
    wait_contested: float = 1.1
    wait_seen: float = 1.4
    wait_longest: float = 2.8
    wait_turn: float = 1.1
    adopt: float = 1.0  # what is seen in the first moments was there before
    sure: float = 0.995
