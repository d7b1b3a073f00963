"""Makes the certificate of the tests and of the example, for `localhost`, signed by itself, and its key,
which is no secret: nothing trusts them but the tests. Needs `cryptography`."""

from datetime import datetime
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

here = Path(__file__).parent
key = ec.generate_private_key(ec.SECP256R1())
name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "Combseal's tests")])
certificate = (
    x509.CertificateBuilder()
    .subject_name(name)
    .issuer_name(name)
    .public_key(key.public_key())
    .serial_number(1)
    .not_valid_before(datetime(2000, 1, 1))
    .not_valid_after(datetime(9999, 12, 31))
    .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
    .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
    .sign(key, hashes.SHA256())
)
der = serialization.Encoding.DER
(here / "certificate.der").write_bytes(certificate.public_bytes(der))
pkcs8 = serialization.PrivateFormat.PKCS8
(here / "key.der").write_bytes(key.private_bytes(der, pkcs8, serialization.NoEncryption()))
