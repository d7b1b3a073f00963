"""Opens sealed streams: a second implementation of docs/format.md, written from that page.

    python3 stream_reader.py vectors/stream/*.json       checks every known answer
    python3 stream_reader.py --key HEX FILE [CONTEXT]    opens a file to standard output; or
        --key-file KEYFILE or --passphrase-file TEXTFILE in the place of --key HEX

Needs Python 3.9 and `cryptography` 45 or newer from PyPI. It reads whole files, and is meant to be
read rather than fast. Schemes that `cryptography` does not have (EAX, AEGIS, XChaCha20) are refused.
"""

import hashlib
import hmac
import json
import sys

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import aead
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

MAGIC = b"\x89CMB\r\n\x1a\n"
# number: name, bytes of key, bytes of nonce, AEAD
SCHEMES = {
    1: ("OCB3-AES-128", 16, 12, aead.AESOCB3), 2: ("OCB3-AES-192", 24, 12, aead.AESOCB3),
    3: ("OCB3-AES-256", 32, 12, aead.AESOCB3), 4: ("AES-128-GCM", 16, 12, aead.AESGCM),
    5: ("AES-192-GCM", 24, 12, aead.AESGCM), 6: ("AES-256-GCM", 32, 12, aead.AESGCM),
    7: ("AES-128-GCM-SIV", 16, 12, aead.AESGCMSIV), 8: ("AES-256-GCM-SIV", 32, 12, aead.AESGCMSIV),
    9: ("AES-128-CCM", 16, 12, aead.AESCCM), 10: ("AES-192-CCM", 24, 12, aead.AESCCM),
    11: ("AES-256-CCM", 32, 12, aead.AESCCM), 15: ("AES-128-SIV", 32, 16, aead.AESSIV),
    16: ("AES-192-SIV", 48, 16, aead.AESSIV), 17: ("AES-256-SIV", 64, 16, aead.AESSIV),
    25: ("ChaCha20-Poly1305", 32, 12, aead.ChaCha20Poly1305),
}
TAG = 16
CAPS = {"memory": 2 << 20, "passes": 16, "lanes": 16, "work": 8 << 20}


class Refused(Exception):
    """Why a stream does not open, in a word or two, as the vectors have it."""


def hkdf(salt, ikm, info, length):
    """HKDF-SHA-256, RFC 5869."""
    prk, out, block = hmac.digest(salt, ikm, "sha256"), b"", b""
    for i in range(1, -(-length // 32) + 1):
        block = hmac.digest(prk, block + info + bytes([i]), "sha256")
        out += block
    return out[:length]


def be(data):
    return int.from_bytes(data, "big")


def was_text(data):
    for mark in (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"):
        if data.startswith(mark):
            data = data[len(mark):]
            break
    starts = [b"\x89CMB", b"\x09CMB", b"?CMB", b"\xc2\x89CMB", b"\xef\xbf\xbdCMB"]
    for first in ("\x89", "\x09", "?", "\ufffd"):
        starts += [(first + "CMB").encode("utf-16-le"), (first + "CMB").encode("utf-16-be")]
    return any(data.startswith(start) for start in starts)


BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def read_key(text):
    """The key of a key file: one line of Bech32m (BIP 350) beside comments."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith("#")]
    if len(lines) != 1 or lines[0] not in (lines[0].lower(), lines[0].upper()):
        raise Refused("no key file")
    name, _, data = lines[0].lower().rpartition("1")
    if name != "combseal-key-" or len(data) != 58 or any(c not in BECH32 for c in data):
        raise Refused("no key file")
    symbols, check = [BECH32.index(c) for c in data], 1
    for value in [ord(c) >> 5 for c in name] + [0] + [ord(c) & 31 for c in name] + symbols:
        top, check = check >> 25, (check & 0x1FFFFFF) << 5 ^ value
        for i, generator in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= generator if top >> i & 1 else 0
    bits = int("".join(f"{symbol:05b}" for symbol in symbols[:52]), 2)
    if check != 0x2BC830A3 or bits & 15:
        raise Refused("wrong checksum of the key file")
    return (bits >> 4).to_bytes(32, "big")


class Header:
    """The header's parts, checked as far as that goes without a key."""

    def __init__(self, data):
        if data[:8] != MAGIC[:len(data)]:
            raise Refused("text_damaged" if was_text(data) else "not_sealed")
        if len(data) < 16:
            raise Refused("truncated")
        version, number, shift, count = data[8:12]
        if version != 1 or not 1 <= count <= 16:
            raise Refused("unsupported")
        size = 64 + 96 * count
        self.length = 128 + 2 * size
        if len(data) < self.length:
            raise Refused("truncated")
        if any(data[12:16]) or any(data[80:96]) or not 12 <= shift <= 24 or number not in SCHEMES:
            raise Refused("unsupported")
        if SCHEMES[number][3] is aead.AESCCM and shift > 23:
            raise Refused("unsupported")
        self.start, self.unchanging, self.commitment, self.mark = data[:48], data[:96], data[48:80], data[96:128]
        self.name, self.key_len, self.nonce_len, self.aead = SCHEMES[number]
        self.segment, self.stride = 1 << shift, (1 << shift) + TAG
        tables = [self.table(i, data[128 + i * size:128 + (i + 1) * size], count) for i in (0, 1)]
        whole = [table for table in tables if isinstance(table, dict)]
        if not whole or "torn" in tables and not any(self.mark):
            raise Refused("damaged_header")
        if len(whole) == 2 and (not any(self.mark) or whole[0]["generation"] == whole[1]["generation"]):
            raise Refused("damaged_header")
        self.tables = sorted(whole, key=lambda table: -table["generation"])

    def table(self, number, data, count):
        """`None` of an empty table, "torn" of one that is not whole."""
        if not any(data):
            return None
        checksum = hashlib.sha256(b"combseal stream v1 table" + bytes([number]) + self.unchanging + data[:-16])
        if checksum.digest()[:16] != data[-16:]:
            return "torn"
        slots = [data[16 + 96 * i:112 + 96 * i] for i in range(count)]
        for slot in slots:
            costs = be(slot[4:8]), be(slot[8:12]), be(slot[12:16])
            if slot[0] > 2:
                raise Refused("unsupported")
            if any(slot[1:4]) or slot[0] == 0 and any(slot) or slot[0] == 1 and any(costs):
                raise Refused("damaged_header")
            if slot[0] == 2 and not (costs[1] > 0 and 0 < costs[2] < 1 << 24 and costs[0] >= 8 * costs[2]):
                raise Refused("damaged_header")
        if be(data[:8]) == 0 or any(data[8:16]) or not any(slot[0] for slot in slots):
            raise Refused("damaged_header")
        return {"number": number, "generation": be(data[:8]), "slots": slots, "signed": data[:-48], "mac": data[-48:-16]}

    def unlock(self, key=None, passphrase=None):
        """The file key: of the first slot that opens, its table's MAC being right."""
        kind = 2 if key is None else 1
        tried = []
        for table in self.tables:
            newer, work = [slot for _, slot in tried], 0
            for slot in table["slots"]:
                if slot[0] != kind or slot in newer:
                    continue
                tried.append((table, slot))
                memory, passes, lanes = be(slot[4:8]), be(slot[8:12]), be(slot[12:16])
                work += memory * passes
                if memory > CAPS["memory"] or passes > CAPS["passes"] or lanes > CAPS["lanes"] or work > CAPS["work"]:
                    raise Refused("over_cap")
        for table, slot in tried:
            salt, wrapped, mac = slot[16:32], slot[32:64], slot[64:]
            kek = key
            if kind == 2:
                memory, passes, lanes = be(slot[4:8]), be(slot[8:12]), be(slot[12:16])
                argon2 = Argon2id(salt=salt, length=32, iterations=passes, lanes=lanes, memory_cost=memory)
                kek = argon2.derive(passphrase)
            both = hkdf(salt, kek, b"combseal stream v1 slot\0" + self.start + slot[:16], 64)
            if not hmac.compare_digest(hmac.digest(both[32:], wrapped, "sha256"), mac):
                continue
            file_key = bytes(a ^ b for a, b in zip(wrapped, both))
            header_key = hkdf(self.start[16:], file_key, b"combseal stream v1 header\0" + self.start[:16], 32)
            signed = b"table" + bytes([table["number"]]) + self.unchanging + table["signed"]
            mark = hmac.digest(header_key, b"change" + self.unchanging, "sha256") if any(self.mark) else bytes(32)
            if hmac.digest(header_key, signed, "sha256") != table["mac"] or mark != self.mark:
                raise Refused("damaged_header")
            return file_key
        raise Refused("wrong_key")

    def derive(self, file_key, context):
        """Commitment, the nonces' prefix, and the AEAD under the payload key."""
        info = b"combseal stream v1 payload\0" + self.name.encode() + b"\0" + self.start[:16] + context
        prefix_len = self.nonce_len - 6
        out = hkdf(self.start[16:], file_key, info, 32 + prefix_len + self.key_len)
        return out[:32], out[32:32 + prefix_len], self.aead(out[32 + prefix_len:])


def open_segment(cipher, nonce, sealed):
    if isinstance(cipher, aead.AESSIV):
        return cipher.decrypt(sealed, [b"", nonce])
    return cipher.decrypt(nonce, sealed, None)


def open_stream(data, key=None, passphrase=None, context=b""):
    """All of the plaintext, or `Refused`."""
    header = Header(data)
    commitment, prefix, cipher = header.derive(header.unlock(key, passphrase), context)
    if commitment != header.commitment:
        raise Refused("wrong_context")
    body, out = data[header.length:], []
    full, last = divmod(len(body), header.stride)
    for i in range(full + (last >= TAG)):
        nonce = prefix + i.to_bytes(5, "big") + bytes([i == full])
        try:
            out.append(open_segment(cipher, nonce, body[i * header.stride:(i + 1) * header.stride]))
        except InvalidTag:
            raise Refused("cut_or_damaged" if i == full else "damaged") from None
    if last < TAG:
        raise Refused("truncated")
    return b"".join(out)


def check(path):
    """Every test of a file of known answers; returns how many there were."""
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    if content.get("format") != "combseal stream 1":
        print(f"{path}: left out, it is of another format")
        return 0
    tests = content["tests"]
    for test in tests:
        unlock = {name: bytes.fromhex(test[name]) for name in ("key", "passphrase") if name in test}
        try:
            plain, error = open_stream(bytes.fromhex(test["sealed"]), **unlock, context=bytes.fromhex(test["context"])), None
        except Refused as refused:
            plain, error = None, str(refused)
        if error != test.get("error"):
            raise SystemExit(f"{path}: test {test['id']} ({test['comment']}): {error}, not {test.get('error')}")
        if plain is not None:
            if len(plain) != test["length"] or hashlib.sha256(plain).hexdigest() != test["plaintext_sha256"]:
                raise SystemExit(f"{path}: test {test['id']} ({test['comment']}): another plaintext")
    return len(tests)


def main(args):
    if args[:1] in (["--key"], ["--key-file"], ["--passphrase-file"]) and len(args) in (3, 4):
        how, what, path, context = args[0], args[1], args[2], args[3].encode() if len(args) == 4 else b""
        if how == "--key":
            unlock = {"key": bytes.fromhex(what)}
        else:
            with open(what, "rb") as file:
                text = file.read()
            # As the command reads it: all of the file but for one end of line.
            text = text[:-1] if how == "--passphrase-file" and text.endswith(b"\n") else text
            text = text[:-1] if how == "--passphrase-file" and text.endswith(b"\r") else text
            unlock = {"passphrase": text} if how == "--passphrase-file" else {"key": read_key(text.decode())}
        if len(unlock.get("key", bytes(32))) != 32:
            raise Refused("a key has 32 bytes")
        with open(path, "rb") as file:
            sys.stdout.buffer.write(open_stream(file.read(), **unlock, context=context))
    elif args and not args[0].startswith("-"):
        print(sum(check(path) for path in args), "known answers hold")
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (Refused, OSError, ValueError) as error:
        raise SystemExit(f"{sys.argv[0]}: {error}") from None
