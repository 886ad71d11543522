package dev.millrace.scheduler.blob;

import dev.millrace.scheduler.config.BlobStoreKind;
import dev.millrace.scheduler.database.Database;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Blobs in Postgres, in rows of a fixed size, which need the row of their blob. Each chunk is a transaction, so a long upload holds no connection and no
 * snapshot.
 */
final class BlobChunkStore implements BlobStorage {
    /** Size of all chunks of a blob but the last, in bytes. Stored blobs depend on it. */
    static final int CHUNK_BYTES = 256 << 10;
    /** Maximum number of chunks that one transaction deletes. */
    private static final int DELETED_CHUNKS_MAX = 1_000;

    /** The lock on the row of the blob keeps the sweep, which dooms the row first, from missing a chunk. */
    private static final String ADD = """
            with kept as materialized (select id from blob where id = ?::uuid and not is_doomed for share)
            insert into blob_chunk (blob_id, number, bytes) select id, ?::integer, ?::bytea from kept
            """;

    private static final String READ = "select bytes from blob_chunk where blob_id = ?::uuid and number = ?";
    private static final String DELETE = """
            delete from blob_chunk where blob_id = ?::uuid and number in (
                select number from blob_chunk where blob_id = ?::uuid order by number limit ?)
            """;

    private final Database database;

    BlobChunkStore(Database database) {
        this.database = database;
    }

    @Override
    public BlobStoreKind kind() {
        return BlobStoreKind.POSTGRES;
    }

    @Override
    public int sinkBytes() {
        return 2 * CHUNK_BYTES;
    }

    @Override
    public BlobSink create(BlobId id) {
        return new Sink(id);
    }

    @Override
    public InputStream open(BlobId id, long offset) {
        return new Chunks(id, offset);
    }

    @Override
    public void delete(BlobId id) {
        int deleted;
        do {
            deleted = database.run(dsl -> dsl.execute(DELETE, id.value(), id.value(), DELETED_CHUNKS_MAX));
        } while (deleted == DELETED_CHUNKS_MAX);
    }

    private final class Sink implements BlobSink {
        private final BlobId id;
        private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK_BYTES);
        private int number;

        Sink(BlobId id) {
            this.id = id;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                int count = Math.min(chunk.remaining(), bytes.remaining());
                chunk.put(bytes.slice(bytes.position(), count));
                bytes.position(bytes.position() + count);
                if (!chunk.hasRemaining()) {
                    store();
                }
            }
        }

        @Override
        public void finish() throws IOException {
            if (chunk.position() > 0) {
                store();
            }
        }

        private void store() throws IOException {
            byte[] bytes = new byte[chunk.flip().remaining()];
            chunk.get(bytes).clear();
            if (database.run(dsl -> dsl.execute(ADD, id.value(), number, bytes)) == 0) {
                throw new IOException("the unfinished blob " + id + " has been swept");
            }
            number++;
        }

        @Override
        public void close() {}
    }

    /** Bytes from a place on, to the last chunk. It holds one chunk. */
    private final class Chunks extends InputStream {
        private final BlobId id;
        private int number;
        private int skipped;
        private byte @Nullable [] chunk;
        private int position;

        Chunks(BlobId id, long offset) {
            this.id = id;
            this.number = Math.toIntExact(offset / CHUNK_BYTES);
            this.skipped = (int) (offset % CHUNK_BYTES);
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] to, int from, int length) {
            byte[] present = present();
            if (length == 0 || present == null) {
                return length == 0 ? 0 : -1;
            }
            int count = Math.min(length, present.length - position);
            System.arraycopy(present, position, to, from, count);
            position += count;
            return count;
        }

        /** The chunk with bytes that were not read; null at the end. */
        private byte @Nullable [] present() {
            if (chunk != null && position < chunk.length) {
                return chunk;
            }
            chunk = database.run(dsl -> dsl.fetchOptional(READ, id.value(), number))
                    .map(row -> row.get(0, byte[].class))
                    .orElse(null);
            number++;
            position = skipped;
            skipped = 0;
            return chunk == null || position >= chunk.length ? null : chunk;
        }
    }
}
