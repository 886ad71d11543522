package dev.millrace.scheduler.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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

    @BeforeAll
    void open() {
        storages = List.of(new BlobChunkStore(database), new FolderStorage(folder));
    }

    @AfterAll
    void close() {
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

    /** Names of blobs that have bytes somewhere. */
    private List<String> traces() throws IOException {
        List<String> rows = database.run(dsl ->
                dsl.fetch("select distinct blob_id::text from blob_chunk").getValues(0, String.class));
        try (Stream<Path> files = Files.walk(folder)) {
            return Stream.concat(rows.stream(), files.map(Path::toString)).toList();
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
