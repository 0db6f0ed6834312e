"""What every script has in common: the dice, and the loop over games around its turns."""

DICE = '''
import numpy as np

BUFFER, PER_WORD = 12288, 12
LOW = np.uint64((1 << 61) - 1)


@compiled
def throw_more(stream, faces):
    """Fill ``faces`` anew. Each word of xoshiro256++ is read as a fraction in base six; the twelve
    digits taken of it are fair to one part in a thousand million."""
    s0, s1, s2, s3 = stream[0], stream[1], stream[2], stream[3]
    for word in range(BUFFER // PER_WORD):
        both = s0 + s3
        value = ((both << np.uint64(23)) | (both >> np.uint64(41))) + s0
        shifted = s1 << np.uint64(17)
        s2 ^= s0
        s3 ^= s1
        s1 ^= s2
        s0 ^= s3
        s2 ^= shifted
        s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
        fraction = value >> np.uint64(3)
        for digit in range(PER_WORD):
            fraction = fraction * np.uint64(6)
            faces[word * PER_WORD + digit] = np.int8(fraction >> np.uint64(61)) + 1
            fraction = fraction & LOW
    stream[0], stream[1], stream[2], stream[3] = s0, s1, s2, s3


@compiled
def lot(stream, faces, at, among):
    """A number from 0 up to, but without, ``among``, out of as many dice as it takes; and the place
    of the next die."""
    while True:
        value, reach = 0, 1
        while reach < among:
            if at >= BUFFER:
                throw_more(stream, faces)
                at = 0
            value = value * 6 + faces[at] - 1
            at += 1
            reach *= 6
        if value < reach - reach % among:
            return value % among, at
'''

BEGIN = '''

@compiled
def play_all(stream, matrix, turn_first, stage_first, stages, most_turns):
    """Play every column of ``matrix`` in place, to its end or for so many ``stages`` (-1: to the
    end); the games that would not end are counted."""
    faces = np.empty(BUFFER, np.int8)
    throw_more(stream, faces)
    at = 0
    endless = 0
    for game in range(matrix.shape[1]):
'''

LOOP = """\
        turn, place, left, won = turn_first, stage_first, stages, False
        while True:
            if place == 0:
                craft_before, craft = craft, 0
                traps_at_turn, squads_at_turn = {traps}, squads
"""

NEXT_TURN = """\
            place = 0
            turn += 1
            if turn > most_turns:
                endless += 1
                break
"""
END = """\
    return endless
"""
