"""A Parquet file's footer, read without a Parquet library, which would not say of each thing whether it is there.

Thrift's compact protocol (thrift-compact-protocol.md of Apache Thrift) and the numbers of the fields in parquet.thrift
of Apache Parquet's format: structs become dictionaries by a field's number, lists lists, everything else bytes or int.
"""

from typing import Any

#: Of a column's chunk (``ColumnChunk``, ``ColumnMetaData``).
OFFSET_INDEX, COLUMN_INDEX = (4, 5), (6, 7)
DICTIONARY_PAGE, STATISTICS, BLOOM_FILTER = 11, 12, (14, 15)


class _Compact:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def zigzag(self) -> int:
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def value(self, kind: int) -> Any:
        if kind in (1, 2):
            return kind == 1
        if kind == 3:
            return self.byte()
        if kind in (4, 5, 6):
            return self.zigzag()
        if kind in (7, 8):
            length = 8 if kind == 7 else self.varint()
            self.at += length
            return self.data[self.at - length : self.at]
        if kind in (9, 10):
            head = self.byte()
            count = head >> 4 if head >> 4 < 15 else self.varint()
            return [self.byte() == 1 if head & 15 in (1, 2) else self.value(head & 15) for _ in range(count)]
        assert kind == 12, f"a field of type {kind}"
        fields: dict[int, Any] = {}
        number = 0
        while head := self.byte():
            number = number + (head >> 4) if head >> 4 else self.zigzag()
            fields[number] = self.value(head & 15)
        return fields


def columns(data: bytes) -> list[list[tuple[dict[int, Any], dict[int, Any]]]]:
    """Of every row group every column's fields of ``ColumnChunk`` and of ``ColumnMetaData``."""
    assert data[-4:] == b"PAR1"
    length = int.from_bytes(data[-8:-4], "little")
    groups = _Compact(data[-8 - length : -8]).value(12)[4]
    return [[(chunk, chunk[3]) for chunk in group[1]] for group in groups]
