package dev.millrace.scheduler.blob;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.config.BlobBucketConfig;
import dev.millrace.scheduler.config.BlobStoreKind;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.testing.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What holds for each place for bytes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BlobStorageTest {
    private static final int CHUNK = BlobChunkStore.CHUNK_BYTES;

    @TempDir
    private static Path folder;

    private final TestDatabase testDatabase = TestDatabase.migrated();
    private final Database database = testDatabase.open();
    private List<BlobStorage> storages = List.of();
    private @Nullable S3Proxy server;

    @BeforeAll
    void open() throws IOException {
        Path buckets = Files.createDirectory(folder.resolve("buckets"));
        Files.createDirectory(buckets.resolve("blobs"));
        S3Proxy started = S3Proxy.start(buckets);
        server = started;
        storages = List.of(
                new BlobChunkStore(database),
                new FolderStorage(Files.createDirectory(folder.resolve("files"))),
                BucketStorage.open(bucket(started), started.credentials()));
    }

    private static BlobBucketConfig bucket(S3Proxy server) {
        return new BlobBucketConfig("blobs", "of-millrace/", Optional.of(server.address()), Optional.of("here"), true);
    }

    @AfterAll
    void close() {
        if (server != null) {
            server.close();
        }
        storages.forEach(BlobStorage::close);
        database.close();
        testDatabase.close();
    }

    Stream<BlobStorage> storages() {
        return storages.stream();
    }

    @ParameterizedTest
    @MethodSource("storages")
    void returnsWhatWasWrittenFromAnyPlace(BlobStorage storage) throws IOException {
        for (int length : new int[] {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK + 17}) {
            byte[] bytes = random(length);
            BlobId id = write(storage, bytes, 100_000);

            for (int offset : new int[] {0, 1, CHUNK - 1, CHUNK, CHUNK + 1, length - 1}) {
                if (offset >= 0 && offset < length) {
                    assertThat(read(storage, id, offset))
                            .as("%s bytes from %s", length, offset)
                            .isEqualTo(Arrays.copyOfRange(bytes, offset, length));
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("storages")
    void deletesFinishedAndUnfinishedBlobsAndNothingElse(BlobStorage storage) throws IOException {
        BlobId kept = write(storage, random(10), 10);
        BlobId finished = write(storage, random(2 * CHUNK), CHUNK);
        BlobId unfinished = begun();
        try (BlobSink sink = storage.create(unfinished)) {
            sink.write(ByteBuffer.wrap(random(2 * CHUNK)));
        }

        storage.delete(finished);
        storage.delete(unfinished);
        storage.delete(new BlobId(UUID.randomUUID()));

        assertThat(read(storage, kept, 0)).hasSize(10);
        assertThat(traces())
                .noneMatch(name -> name.contains(finished.toString()))
                .noneMatch(name -> name.contains(unfinished.toString()));
    }

    /** An upload that is slower than the sweep must leave nothing that no sweep would find. */
    @ParameterizedTest
    @MethodSource("storages")
    void takesNothingMoreOfABlobThatWasSwept(BlobStorage storage) throws IOException {
        BlobId id = begun();
        try (BlobSink sink = storage.create(id)) {
            sink.write(ByteBuffer.wrap(random(CHUNK)));
            database.run(dsl -> dsl.execute("update blob set is_doomed = true where id = ?", id.value()));
            storage.delete(id);

            assertThatThrownBy(() -> {
                        sink.write(ByteBuffer.wrap(random(CHUNK)));
                        sink.finish();
                    })
                    .isInstanceOf(IOException.class);
        }

        assertThat(traces()).noneMatch(name -> name.contains(id.toString()));
    }

    @Test
    void writesPartsToABucketAndReadsFromAnyOfThem() throws IOException {
        BlobStorage bucket = storages.getLast();
        byte[] bytes = random(2 * BucketStorage.PART_BYTES + 5);
        BlobId id = write(bucket, bytes, 1 << 20);

        for (int offset : new int[] {0, BucketStorage.PART_BYTES - 1, BucketStorage.PART_BYTES, bytes.length - 1}) {
            assertThat(read(bucket, id, offset)).isEqualTo(Arrays.copyOfRange(bytes, offset, bytes.length));
        }
        try (InputStream begun = bucket.open(id, 0)) {
            assertThat(begun.read()).isEqualTo(bytes[0] & 0xff);
        }
    }

    @Test
    void saysWhyABucketRefuses() {
        S3Proxy started = requireNonNull(server);
        try (BlobStorage stranger = BucketStorage.open(bucket(started), started.wrongCredentials())) {
            assertThatThrownBy(() -> stranger.create(begun()))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("signature");
        }
    }

    /** Names of blobs that have bytes somewhere. */
    private List<String> traces() throws IOException {
        List<String> rows = database.run(dsl ->
                dsl.fetch("select distinct blob_id::text from blob_chunk").getValues(0, String.class));
        try (Stream<Path> files = Files.walk(folder)) {
            // S3Proxy keeps parts that arrive after the end of their upload, which S3 refuses.
            return Stream.concat(rows.stream(), files.map(Path::toString).filter(name -> !name.contains("/.mpus-")))
                    .toList();
        }
    }

    /** A blob with a row, as each upload has one. */
    private BlobId begun() {
        BlobId id = new BlobId(UUID.randomUUID());
        new BlobRowStore(database)
                .begin(
                        id,
                        new BlobOwner.Caller(Workspace.DEFAULT),
                        BlobStoreKind.POSTGRES,
                        "a/b",
                        Duration.ofMinutes(10));
        return id;
    }

    private BlobId write(BlobStorage storage, byte[] bytes, int pieceBytes) throws IOException {
        BlobId id = begun();
        try (BlobSink sink = storage.create(id)) {
            for (int from = 0; from < bytes.length; from += pieceBytes) {
                sink.write(ByteBuffer.wrap(bytes, from, Math.min(pieceBytes, bytes.length - from)));
            }
            sink.finish();
        }
        return id;
    }

    private static byte[] read(BlobStorage storage, BlobId id, int offset) throws IOException {
        try (InputStream bytes = storage.open(id, offset)) {
            return bytes.readAllBytes();
        }
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
