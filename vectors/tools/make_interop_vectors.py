"""Makes vectors/stream/cobblestone.json and tink.json with other people's implementations: C2SP's
chunked encryption as `cryptography` (50 or newer) has it, and AES-GCM-HKDF streaming as `tink` has it.

    python3 make_interop_vectors.py vectors/stream

Their salts are random, so that every run writes other files. The library must open each, and make
the same bytes from the same salts, which is both directions.
"""

import base64
import io
import json
import os
import sys

from cryptography import cobblestone

import tink
from tink import cleartext_keyset_handle, streaming_aead
from tink.proto import aes_gcm_hkdf_streaming_pb2, common_pb2, tink_pb2

from make_stream_vectors import plaintext

# Made by hand for Tink's tests of all its languages: HKDF with SHA-1, segments of 64 bytes.
LENGTHS = (0, 1, 16383, 16384, 16385, 40000)


def cobblestones():
    tests = []
    kinds = (("Cobblestone-128", 16, cobblestone.Cobblestone128Encryptor), ("Cobblestone-256", 32, cobblestone.Cobblestone256Encryptor))
    for name, key_len, encryptor in kinds:
        for length in LENGTHS[:4 if key_len == 16 else 5]:
            key, context = os.urandom(key_len), b"" if length == 1 else b"context %d" % length
            it = encryptor(key, context)
            sealed = it.update(plaintext(length)) + it.finalize()
            tests.append({"kind": name, "key": key.hex(), "context": context.hex(), "length": length, "sealed": sealed.hex()})
    return tests


def keyset(key_len, segment, hash_type, ikm_len, keys=1):
    """A keyset in JSON: as many keys, of which the last is the primary one."""
    made = []
    for i in range(keys):
        params = aes_gcm_hkdf_streaming_pb2.AesGcmHkdfStreamingParams(
            ciphertext_segment_size=segment, derived_key_size=key_len, hkdf_hash_type=hash_type)
        key = aes_gcm_hkdf_streaming_pb2.AesGcmHkdfStreamingKey(version=0, params=params, key_value=os.urandom(ikm_len))
        data = base64.b64encode(key.SerializeToString()).decode()
        made.append({"keyData": {"typeUrl": "type.googleapis.com/google.crypto.tink.AesGcmHkdfStreamingKey",
                                 "value": data, "keyMaterialType": "SYMMETRIC"},
                     "status": "ENABLED", "keyId": 1000 + i, "outputPrefixType": "RAW"})
    return json.dumps({"primaryKeyId": 1000 + keys - 1, "key": made})


class Kept(io.BytesIO):
    """Its bytes can be read after it was closed."""

    def close(self):
        self.bytes = self.getvalue()
        super().close()


def tinks():
    streaming_aead.register()
    sha1, sha256, sha512 = common_pb2.SHA1, common_pb2.SHA256, common_pb2.SHA512
    tests = []
    cases = [(16, 4096, sha256, 16, n) for n in (0, 1, 4040, 4056, 4057, 8136, 9000)]
    cases += [(32, 4096, sha256, 32, n) for n in (0, 4040, 4041, 8120)]
    cases += [(16, 64, sha1, 16, n) for n in (0, 23, 24, 25, 71, 72, 73, 120, 121, 1000)]
    cases += [(32, 80, sha512, 32, n) for n in (0, 24, 25, 500)] + [(16, 1 << 20, sha256, 32, 100), (16, 41, sha256, 16, 30)]
    for key_len, segment, hash_type, ikm_len, length in cases:
        text = keyset(key_len, segment, hash_type, ikm_len, 2 if length == 9000 else 1)
        handle = cleartext_keyset_handle.read(tink.JsonKeysetReader(text))
        out, context = Kept(), b"" if length == 1 else b"context %d" % length
        with handle.primitive(streaming_aead.StreamingAead).new_encrypting_stream(out, context) as stream:
            stream.write(plaintext(length))
        tests.append({"keyset": text, "context": context.hex(), "length": length, "sealed": out.bytes.hex()})
    return tests


def write(folder, name, source, tests):
    for i, test in enumerate(tests):
        test["id"] = i + 1
    with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as file:
        file.write('{\n "format": ' + json.dumps(name) + ',\n "source": ' + json.dumps(source) + ',\n "tests": [\n')
        file.write(",\n".join("  " + json.dumps(test) for test in tests))
        file.write("\n ]\n}\n")


def main(folder):
    import cryptography
    from importlib.metadata import version
    write(folder, "cobblestone", f"cryptography {cryptography.__version__} from PyPI", cobblestones())
    write(folder, "tink", f"tink {version('tink')} from PyPI", tinks())


if __name__ == "__main__":
    main(*sys.argv[1:])
