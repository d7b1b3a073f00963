"""Makes vectors/stream/*.json: sealed streams that open, and streams that must be refused.

    python3 make_stream_vectors.py vectors/stream

The writer here follows docs/format.md and shares no code with the library, which must seal the same
bytes from the same random values. Every value is made of SHA-256, so that a second run writes the
same files. Needs what `stream_reader.py` needs.
"""

import hashlib
import hmac
import json
import os
import sys

from cryptography.hazmat.primitives.ciphers import aead
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from stream_reader import MAGIC, SCHEMES, TAG, Refused, hkdf, open_stream

KEY, OTHER = bytes(range(32)), bytes(range(32, 64))
CONTEXT = b"backup of 2026"


def stretch(seed, length):
    """SHA-256(seed || 0) || SHA-256(seed || 1) || ..., the number in eight bytes."""
    blocks = (hashlib.sha256(seed + i.to_bytes(8, "big")).digest() for i in range(-(-length // 32)))
    return b"".join(blocks)[:length]


class Stream:
    """A stream in its parts, so that a holder of the key can write what a writer would not."""

    def __init__(self, seed, plain, number=3, shift=12, locks=(KEY,), slots=1, context=b"", version=1, reserved=0):
        self.file_key, self.salt = stretch(b"file key" + seed, 32), stretch(b"salt" + seed, 32)
        self.slot_salts = [stretch(b"slot" + bytes([i]) + seed, 16) for i in range(4)]
        self.plain, self.context, self.shift, self.number = plain, context, shift, number
        name, key_len, nonce_len, cipher = SCHEMES.get(number, SCHEMES[3])
        self.start = MAGIC + bytes([version, number, shift, slots]) + bytes(3) + bytes([reserved]) + self.salt
        info = b"combseal stream v1 payload\0" + name.encode() + b"\0" + self.start[:16] + context
        out = hkdf(self.salt, self.file_key, info, 32 + nonce_len - 6 + key_len)
        self.unchanging = self.start + out[:32] + bytes(16)
        self.payload_key = out[32 + nonce_len - 6:]
        self.prefix, self.cipher = out[32:32 + nonce_len - 6], cipher(out[32 + nonce_len - 6:])
        self.header_key = hkdf(self.salt, self.file_key, b"combseal stream v1 header\0" + self.start[:16], 32)
        self.segments = [] if version != 1 or number not in SCHEMES else self.sealed_segments()
        self.slots = [self.slot(lock, self.slot_salts[i]) for i, lock in enumerate(locks)]
        self.slots += [bytes(96)] * (slots - len(locks))
        self.mark, self.other = bytes(32), None

    def segment(self, index, last, plain):
        nonce = self.prefix + index.to_bytes(5, "big") + bytes([last])
        if isinstance(self.cipher, aead.AESSIV):
            return self.cipher.encrypt(plain, [b"", nonce])
        return self.cipher.encrypt(nonce, plain, None)

    def sealed_segments(self):
        size = 1 << self.shift
        full = len(self.plain) // size
        return [self.segment(i, i == full, self.plain[i * size:(i + 1) * size]) for i in range(full + 1)]

    def slot(self, lock, salt):
        """A slot for a key (bytes), or for a passphrase and its costs (a tuple)."""
        if isinstance(lock, bytes):
            head, kek = bytes([1]) + bytes(15), lock
        else:
            passphrase, memory, passes, lanes = lock
            head = bytes([2, 0, 0, 0]) + b"".join(n.to_bytes(4, "big") for n in (memory, passes, lanes))
            legal = lanes and 0 < passes <= 16 and 8 * lanes <= memory <= 1 << 20
            if legal:
                kek = Argon2id(salt=salt, length=32, iterations=passes, lanes=lanes, memory_cost=memory).derive(passphrase)
            else:
                kek = bytes(32)
        both = hkdf(salt, kek, b"combseal stream v1 slot\0" + self.start + head, 64)
        wrapped = bytes(a ^ b for a, b in zip(self.file_key, both))
        return head + salt + wrapped + hmac.digest(both[32:], wrapped, "sha256")

    def table(self, number=0, generation=1, slots=None, zeros=bytes(8)):
        out = generation.to_bytes(8, "big") + zeros + b"".join(slots or self.slots)
        signed = b"table" + bytes([number]) + self.unchanging + out
        out += hmac.digest(self.header_key, signed, "sha256")
        return out + hashlib.sha256(b"combseal stream v1 table" + bytes([number]) + self.unchanging + out).digest()[:16]

    def right_mark(self):
        return hmac.digest(self.header_key, b"change" + self.unchanging, "sha256")

    def header(self, zero=None, one=None, mark=bytes(32)):
        zero = self.table() if zero is None else zero
        one = bytes(len(zero)) if one is None else one
        return self.unchanging + mark + zero + one

    def bytes(self, **tables):
        return self.header(**tables) + b"".join(self.segments)


class File:
    def __init__(self):
        self.tests = []

    def add(self, comment, sealed, plain=None, error=None, key=None, passphrase=None, context=b"", stream=None):
        test = {"id": len(self.tests) + 1, "comment": comment}
        if stream:
            test.update(file_key=stream.file_key.hex(), salt=stream.salt.hex(), slots=stream.start[11],
                        slot_salts=[salt.hex() for salt in stream.slot_salts],
                        payload_key=stream.payload_key.hex(), header_key=stream.header_key.hex(),
                        scheme=SCHEMES[stream.number][0], segment_len=1 << stream.shift)
        test["key" if passphrase is None else "passphrase"] = (key or passphrase or KEY).hex()
        test["context"] = context.hex()
        if error:
            test["error"] = error
        else:
            test.update(length=len(plain), plaintext_seed=b"plaintext".hex(), plaintext_sha256=hashlib.sha256(plain).hexdigest())
        test["sealed"] = sealed.hex()
        try:
            got = open_stream(sealed, key=key or (None if passphrase else KEY), passphrase=passphrase, context=context)
        except Refused as refused:
            got = str(refused)
        if got != (error or plain):
            raise SystemExit(f"{comment}: {got if isinstance(got, str) else 'opens'}")
        self.tests.append(test)

    def write(self, folder, name, source):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write('{\n "format": "combseal stream 1",\n "source": ' + json.dumps(source) + ',\n "tests": [\n')
            file.write(",\n".join("  " + json.dumps(test) for test in self.tests))
            file.write("\n ]\n}\n")


def plaintext(length):
    return stretch(b"plaintext", length)


def good():
    out = File()
    for length in (0, 1, 16, 4095, 4096, 4097, 8192, 9000):
        stream = Stream(b"length %d" % length, plaintext(length), context=CONTEXT)
        out.add(f"{length} bytes", stream.bytes(), stream.plain, context=CONTEXT, stream=stream)
    for number in SCHEMES:
        stream = Stream(b"scheme %d" % number, plaintext(100), number=number)
        out.add(SCHEMES[number][0], stream.bytes(), stream.plain, stream=stream)
    for number in (4, 15, 25):
        stream = Stream(b"scheme, longer %d" % number, plaintext(4100), number=number)
        out.add(f"{SCHEMES[number][0]}, two segments", stream.bytes(), stream.plain, stream=stream)
    for shift in (16, 24):
        stream = Stream(b"segment %d" % shift, plaintext(200), shift=shift)
        out.add(f"segments of 2^{shift} bytes", stream.bytes(), stream.plain, stream=stream)
    passphrase = ("a passphrase, späte Nacht".encode(), 64, 2, 2)
    stream = Stream(b"slots", plaintext(50), locks=(KEY, passphrase, OTHER), slots=4)
    out.add("the first of three slots", stream.bytes(), stream.plain, stream=stream)
    out.add("the second, a passphrase", stream.bytes(), stream.plain, passphrase=passphrase[0])
    out.add("the third", stream.bytes(), stream.plain, key=OTHER)
    stream = Stream(b"16 slots", plaintext(5), slots=16)
    out.add("16 slots in a table", stream.bytes(), stream.plain, stream=stream)
    return out


def changing():
    """Streams whose slots are being changed from KEY to OTHER, at every step of it."""
    out = File()
    stream = Stream(b"changing", plaintext(60))
    old, new = stream.table(), stream.table(1, 2, [stream.slot(OTHER, stretch(b"new slot", 16))])
    mark, empty = stream.right_mark(), bytes(len(old))
    torn_new, torn_old = new[:100] + empty[100:], empty[:100] + old[100:]
    ends = {"before": (old, empty, bytes(32), KEY), "marked": (old, empty, mark, KEY), "new table torn": (old, torn_new, mark, KEY),
            "both, the old key": (old, new, mark, KEY), "both, the new key": (old, new, mark, OTHER),
            "old table torn": (torn_old, new, mark, OTHER), "old table gone": (empty, new, mark, OTHER),
            "done": (empty, new, bytes(32), OTHER)}
    for comment, (zero, one, marked, key) in ends.items():
        out.add(comment, stream.bytes(zero=zero, one=one, mark=marked), stream.plain, key=key)
    refused = {"the new key too early": (old, torn_new, mark, OTHER, "wrong_key"),
               "the old key too late": (empty, new, bytes(32), KEY, "wrong_key"),
               "torn, and no mark": (old, torn_new, bytes(32), KEY, "damaged_header"),
               "both, and no mark": (old, new, bytes(32), KEY, "damaged_header"),
               "a wrong mark": (old, new, mark[:31] + bytes([mark[31] ^ 1]), KEY, "damaged_header"),
               "half a mark": (old, empty, mark[:16] + bytes(16), KEY, "damaged_header"),
               "both of one generation": (old, stream.table(1, 1), mark, KEY, "damaged_header"),
               "no table": (empty, empty, mark, KEY, "damaged_header"),
               "table 0 in the place of table 1": (empty, old, bytes(32), KEY, "damaged_header"),
               "a byte in the empty table": (old, empty[:-1] + b"\1", bytes(32), KEY, "damaged_header")}
    for comment, (zero, one, marked, key, error) in refused.items():
        out.add(comment, stream.bytes(zero=zero, one=one, mark=marked), error=error, key=key)
    return out


def bad():
    out = File()
    stream = Stream(b"bad", plaintext(8200))
    header, (zero, one, last), all_ = stream.header(), stream.segments, stream.bytes()
    other = Stream(b"another", plaintext(8200))

    def add(comment, sealed, error, **more):
        out.add(comment, sealed, error=error, **more)

    def flip(at, bit=1):
        return all_[:at] + bytes([all_[at] ^ bit]) + all_[at + 1:]

    add("nothing", b"", "truncated")
    add("a part of the magic", all_[:5], "truncated")
    add("the start", all_[:16], "truncated")
    add("half the header", all_[:200], "truncated")
    add("the header alone", header, "truncated")
    add("a part of a tag", header + last[:TAG - 1], "truncated")
    add("cut at the first segment's end", header + zero, "truncated")
    add("cut at the second segment's end", header + zero + one, "truncated")
    add("cut in the first segment", header + zero[:1000], "cut_or_damaged")
    add("cut in the second segment", header + zero + one[:-1], "cut_or_damaged")
    add("cut in the last segment", all_[:-1], "cut_or_damaged")
    add("a byte behind it", all_ + b"\0", "cut_or_damaged")
    add("the last segment twice", all_ + last, "cut_or_damaged")
    add("a full segment behind it", all_ + one, "damaged")
    add("segments exchanged", header + one + zero + last, "damaged")
    add("a segment left out", header + one + last, "damaged")
    add("a segment twice", header + zero + zero + one + last, "damaged")
    add("a segment of another stream", header + zero + other.segments[1] + last, "damaged")
    add("the end of another stream", header + zero + one + other.segments[2], "cut_or_damaged")
    add("the header of another stream", other.header() + zero + one + last, "damaged")
    add("a bit of a segment", flip(len(header) + 4200), "damaged")
    add("a bit of a tag", flip(len(header) + 4111, 128), "damaged")
    add("a bit of the last segment", flip(len(all_) - 20), "cut_or_damaged")
    add("the last segment sealed as if it were not", header + zero + one + stream.segment(2, False, stream.plain[8192:]), "cut_or_damaged")
    add("a full segment sealed as the last", header + zero + stream.segment(1, True, stream.plain[4096:8192]), "damaged")
    add("a full segment sealed as the last, and one behind it", header + zero + stream.segment(1, True, stream.plain[4096:8192]) + last, "damaged")
    add("an empty segment before the last", header + stream.segment(0, False, b"") + last, "cut_or_damaged")
    add("another key", all_, "wrong_key", key=OTHER)
    add("a passphrase where there is none", all_, "wrong_key", passphrase=b"guess")
    add("another context", all_, "wrong_context", context=b"x")
    passphrase = Stream(b"passphrase", plaintext(10), locks=((b"right", 64, 1, 1),))
    add("another passphrase", passphrase.bytes(), "wrong_key", passphrase=b"wrong")
    add("a key where there is a passphrase", passphrase.bytes(), "wrong_key")

    stream = Stream(b"short", plaintext(10))
    all_ = stream.bytes()
    add("no stream", b"PK\3\4" + all_, "not_sealed")
    add("line ends to LF", all_.replace(b"\r\n", b"\n"), "text_damaged")
    add("line ends to CR LF", all_.replace(b"\n", b"\r\n"), "text_damaged")
    add("the high bit lost", bytes(b & 127 for b in all_), "text_damaged")
    add("from Latin-1 to UTF-8", all_.decode("latin-1").encode(), "text_damaged")
    add("to UTF-8 with replacements", all_.decode("utf-8", "replace").encode(), "text_damaged")
    add("to ASCII with replacements", b"?" + all_[1:], "text_damaged")
    add("to UTF-16 with a byte-order mark", all_.decode("latin-1").encode("utf-16"), "text_damaged")

    add("version 2", Stream(b"v", b"", version=2).bytes(), "unsupported")
    add("scheme 0", Stream(b"v", b"", number=0).bytes(), "unsupported")
    add("scheme 200", Stream(b"v", b"", number=200).bytes(), "unsupported")
    for shift in (0, 11, 25, 64, 255):
        add(f"segments of 2^{shift} bytes", all_[:10] + bytes([shift]) + all_[11:], "unsupported")
    add("CCM with segments of 2^24 bytes", Stream(b"v", b"", number=9, shift=23).bytes().replace(MAGIC + b"\1\x09\x17", MAGIC + b"\1\x09\x18"), "unsupported")
    add("no slots", all_[:11] + b"\0" + all_[12:], "unsupported")
    add("17 slots", all_[:11] + b"\x11" + all_[12:], "unsupported")
    add("more slots than there are", all_[:11] + b"\2" + all_[12:] + bytes(192), "damaged_header")
    add("a reserved bit", Stream(b"v", b"", reserved=1).bytes(), "unsupported")
    add("a byte of zeros", all_[:85] + b"\1" + all_[86:], "unsupported")
    for name, at in (("salt", 20), ("commitment", 50), ("generation", 135), ("slot's kind", 144), ("slot's salt", 170),
                     ("wrapped key", 180), ("slot's MAC", 220), ("table's MAC", 250), ("checksum", 287), ("empty table", 300)):
        add(f"a bit of the {name}", flip(at), "damaged_header")
    add("a bit of the scheme", flip(9), "damaged_header")
    add("a bit of the mark", flip(100), "damaged_header")

    def slot(at, value):
        changed = bytearray(stream.slots[0])
        changed[at:at + len(value)] = value
        return stream.bytes(zero=stream.table(slots=[bytes(changed)]))

    add("a slot of kind 3", slot(0, b"\3"), "unsupported")
    add("a slot of kind 0 that is not zero", slot(0, b"\0"), "damaged_header")
    add("a key's slot with costs", slot(7, b"\1"), "damaged_header")
    add("a slot's zeros", slot(2, b"\1"), "damaged_header")
    add("a changed wrapped key under a right checksum", slot(40, b"\1\2\3"), "wrong_key")
    add("no slot in use", stream.bytes(zero=stream.table(slots=[bytes(96)])), "damaged_header")
    add("generation 0", stream.bytes(zero=stream.table(generation=0)), "damaged_header")
    add("a table's zeros", stream.bytes(zero=stream.table(zeros=b"\1" + bytes(7))), "damaged_header")
    changed = bytearray(stream.table())
    changed[-40] ^= 1
    changed[-16:] = hashlib.sha256(b"combseal stream v1 table\0" + stream.unchanging + changed[:-16]).digest()[:16]
    add("a table's MAC under a right checksum", stream.bytes(zero=bytes(changed)), "damaged_header")

    def costs(comment, memory, passes, lanes, error, count=1):
        it = Stream(b"costs", b"", locks=((b"guess", memory, passes, lanes),) * count, slots=count)
        add(comment, it.bytes(), error, passphrase=b"guess")

    costs("no pass", 64, 0, 1, "damaged_header")
    costs("no lane", 64, 1, 0, "damaged_header")
    costs("memory below 8 KiB a lane", 15, 1, 2, "damaged_header")
    costs("4 TiB of memory", 0xffffffff, 1, 1, "over_cap")
    costs("2 GiB and 1 KiB of memory", (2 << 20) + 1, 1, 1, "over_cap")
    costs("2^32 - 1 passes", 64, 0xffffffff, 1, "over_cap")
    costs("17 lanes", 1024, 1, 17, "over_cap")
    costs("2 GiB of memory, 5 passes", 2 << 20, 5, 4, "over_cap")
    costs("three slots of 2 GiB, 2 passes", 2 << 20, 2, 4, "over_cap", count=3)
    return out


def main(folder):
    source = "vectors/tools/make_stream_vectors.py, over `cryptography` (OpenSSL); the library seals and opens the same bytes"
    good().write(folder, "good.json", source)
    changing().write(folder, "changing.json", source)
    bad().write(folder, "bad.json", source)


if __name__ == "__main__":
    main(*sys.argv[1:])
