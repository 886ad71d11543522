package dev.millrace.scheduler.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.kafka.Expansion;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.MemoryRecords;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.record.SimpleRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests of the measure of what a consumer holds of a batch. */
class ExpansionTest {
    private static final int LARGE = 3 << 20;
    private static final int ALL = 16 << 20;
    private static final int SOME = 1 << 10;
    /** Bytes of a record beside its value, and of blocks of LZ4. */
    private static final int ROOM = 100;

    @ParameterizedTest
    @EnumSource(
            value = CompressionType.class,
            names = {"GZIP", "SNAPPY", "LZ4", "ZSTD"})
    void findsTheLargestRecordOfACompressedBatch(CompressionType compression) {
        SimpleRecord[] records = {record(10), record(LARGE), record(20)};
        assertThat(part(compression, ALL, records)).isBetween((long) LARGE, (long) LARGE + ROOM);
        assertThat(part(compression, SOME, records)).isGreaterThan(SOME);
    }

    @Test
    void countsRecordsAloneAndNotTheirSum() {
        SimpleRecord[] records =
                Stream.generate(() -> record(SOME / 2)).limit(SOME).toArray(SimpleRecord[]::new);
        assertThat(part(CompressionType.GZIP, ALL, records)).isLessThan(SOME);
    }

    @Test
    void countsBatchesThatExpandWithoutEnd() {
        SimpleRecord[] records = new SimpleRecord[200];
        Arrays.fill(records, record(LARGE));
        assertThat(part(CompressionType.GZIP, ALL, records)).isGreaterThan(100L * LARGE);
    }

    @Test
    void countsHeaders() {
        Header[] headers = Stream.generate(() -> new RecordHeader("", new byte[0]))
                .limit(SOME)
                .toArray(Header[]::new);
        SimpleRecord record = new SimpleRecord(0L, "key".getBytes(UTF_8), new byte[0], headers);
        assertThat(part(CompressionType.NONE, ALL, record)).isGreaterThan(100L * SOME);
        assertThat(part(CompressionType.ZSTD, ALL, record)).isGreaterThan(100L * SOME);
    }

    @Test
    void countsOldCompressedBatchesAsAWhole() {
        MemoryRecords old = MemoryRecords.withRecords(
                RecordBatch.MAGIC_VALUE_V1, Compression.of(CompressionType.GZIP).build(), record(LARGE), record(LARGE));
        RecordBatch batch = old.batches().iterator().next();
        assertThat(Expansion.largestPart(batch, old.buffer(), ALL)).isGreaterThan(2L * LARGE);
    }

    @Test
    void countsLargeWindows() {
        SimpleRecord[] records =
                Stream.generate(() -> record(LARGE / 4)).limit(16).toArray(SimpleRecord[]::new);
        // Levels up to 19 have windows of at most 8 MiB, level 20 has one of 32.
        assertThat(part(zstd(1), ALL, records)).isLessThan(LARGE / 2);
        assertThat(part(zstd(20), ALL, records)).isEqualTo(2 << 20);
        assertThat(part(zstd(20), LARGE / 2, records)).isEqualTo(2 << 20);
        assertThat(part(zstd(20), ALL, record(SOME), record(SOME))).isLessThan(2 * SOME);
    }

    @Test
    void countsTheWindowOfAFrameThatIsCutOff() {
        SimpleRecord[] records =
                Stream.generate(() -> record(LARGE / 4)).limit(16).toArray(SimpleRecord[]::new);
        byte[] bytes = bytes(zstd(20), records);
        RecordBatch batch = batch(bytes);
        for (int cut = 1; cut < 4; cut++) {
            assertThat(part(batch, Arrays.copyOf(bytes, bytes.length - cut), LARGE / 2))
                    .isEqualTo(2 << 20);
        }
    }

    @Test
    void passesOverWhatCannotBeRead() {
        passesOverWhatCannotBeRead(CompressionType.SNAPPY);
        passesOverWhatCannotBeRead(CompressionType.ZSTD);
    }

    private static void passesOverWhatCannotBeRead(CompressionType compression) {
        Random random = new Random(1);
        byte[] bytes = bytes(Compression.of(compression).build(), record(LARGE), record(LARGE));
        for (int turn = 0; turn < SOME; turn++) {
            byte[] broken = bytes.clone();
            broken[57 + random.nextInt(ROOM)] = (byte) random.nextInt();
            assertThat(part(batch(bytes), broken, ALL)).isNotNegative();
        }
    }

    private static SimpleRecord record(int bytes) {
        return new SimpleRecord(0L, "key".getBytes(UTF_8), new byte[bytes]);
    }

    private static Compression zstd(int level) {
        return Compression.zstd().level(level).build();
    }

    private static long part(CompressionType compression, long enough, SimpleRecord... records) {
        return part(Compression.of(compression).build(), enough, records);
    }

    private static long part(Compression compression, long enough, SimpleRecord... records) {
        byte[] bytes = bytes(compression, records);
        return part(batch(bytes), bytes, enough);
    }

    private static long part(RecordBatch batch, byte[] bytes, long enough) {
        return Expansion.largestPart(batch, ByteBuffer.wrap(bytes), enough);
    }

    private static byte[] bytes(Compression compression, SimpleRecord... records) {
        ByteBuffer buffer = MemoryRecords.withRecords(compression, records).buffer();
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(bytes);
        return bytes;
    }

    private static RecordBatch batch(byte[] bytes) {
        return MemoryRecords.readableRecords(ByteBuffer.wrap(bytes))
                .batches()
                .iterator()
                .next();
    }
}
