package dev.millrace.scheduler.blob;

import static java.util.Objects.requireNonNull;

import dev.millrace.scheduler.config.BlobBucketConfig;
import dev.millrace.scheduler.config.BlobStoreKind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.core.checksums.ResponseChecksumValidation;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.S3ClientBuilder;
import software.amazon.awssdk.services.s3.model.CompletedPart;
import software.amazon.awssdk.services.s3.model.MultipartUpload;
import software.amazon.awssdk.services.s3.model.NoSuchUploadException;

/**
 * Blobs in a bucket of S3, or of a store that speaks its protocol. A blob is an object, and each is written as an upload
 * of parts: such an upload can be deleted while it goes on, so that an upload that is slower than the sweep leaves
 * nothing.
 *
 * <p>Source: the API reference of Amazon S3.
 */
final class BucketStorage implements BlobStorage {
    /** Size of all parts but the last, in bytes. S3 takes 5 MiB to 5 GiB, and 10,000 parts: up to 78 GiB. */
    static final int PART_BYTES = 8 << 20;

    private final S3Client client;
    private final String bucket;
    private final String prefix;

    private BucketStorage(S3Client client, String bucket, String prefix) {
        this.client = requireNonNull(client, "client");
        this.bucket = requireNonNull(bucket, "bucket");
        this.prefix = requireNonNull(prefix, "prefix");
    }

    /** Opens the bucket, which is not asked for before it is used. */
    static BucketStorage open(BlobBucketConfig config) {
        return open(config, DefaultCredentialsProvider.builder().build());
    }

    static BucketStorage open(BlobBucketConfig config, AwsCredentialsProvider credentials) {
        S3ClientBuilder builder = S3Client.builder()
                .credentialsProvider(credentials)
                .httpClientBuilder(UrlConnectionHttpClient.builder())
                .forcePathStyle(config.pathStyle())
                // Stores other than AWS do not know all checksums.
                .requestChecksumCalculation(RequestChecksumCalculation.WHEN_REQUIRED)
                .responseChecksumValidation(ResponseChecksumValidation.WHEN_REQUIRED);
        config.endpoint().ifPresent(builder::endpointOverride);
        config.region().map(Region::of).ifPresent(builder::region);
        return new BucketStorage(builder.build(), config.name(), config.prefix());
    }

    @Override
    public BlobStoreKind kind() {
        return BlobStoreKind.S3;
    }

    @Override
    public int sinkBytes() {
        return PART_BYTES;
    }

    @Override
    public BlobSink create(BlobId id) throws IOException {
        return asking(() -> {
            String key = key(id);
            return new Sink(
                    key,
                    client.createMultipartUpload(
                                    request -> request.bucket(bucket).key(key))
                            .uploadId());
        });
    }

    @Override
    public InputStream open(BlobId id, long offset) throws IOException {
        return asking(() -> {
            var object = client.getObject(
                    request -> request.bucket(bucket).key(key(id)).range("bytes=" + offset + "-"));
            return new Reader(object, object::abort);
        });
    }

    @Override
    public void delete(BlobId id) throws IOException {
        asking(() -> {
            String key = key(id);
            for (String upload : uploads(key)) {
                abort(key, upload);
            }
            return client.deleteObject(request -> request.bucket(bucket).key(key));
        });
    }

    private List<String> uploads(String key) {
        return client.listMultipartUploads(request -> request.bucket(bucket).prefix(key)).uploads().stream()
                .filter(upload -> upload.key().equals(key))
                .map(MultipartUpload::uploadId)
                .toList();
    }

    private void abort(String key, String upload) {
        try {
            client.abortMultipartUpload(
                    request -> request.bucket(bucket).key(key).uploadId(upload));
        } catch (NoSuchUploadException _) {
            // It has just ended.
            return;
        }
    }

    private String key(BlobId id) {
        return prefix + id;
    }

    private interface Question<T> {
        T ask();
    }

    private static <T> T asking(Question<T> question) throws IOException {
        try {
            return question.ask();
        } catch (SdkException failure) {
            throw new IOException(failure.getMessage(), failure);
        }
    }

    @Override
    public void close() {
        client.close();
    }

    private final class Sink implements BlobSink {
        private final String key;
        private final String upload;
        private final List<CompletedPart> parts = new ArrayList<>();
        private final byte[] part = new byte[PART_BYTES];
        private int length;

        Sink(String key, String upload) {
            this.key = key;
            this.upload = upload;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                int count = Math.min(PART_BYTES - length, bytes.remaining());
                bytes.get(part, length, count);
                length += count;
                if (length == PART_BYTES) {
                    send();
                }
            }
        }

        @Override
        public void finish() throws IOException {
            if (length > 0 || parts.isEmpty()) {
                send();
            }
            asking(() -> client.completeMultipartUpload(request ->
                    request.bucket(bucket).key(key).uploadId(upload).multipartUpload(all -> all.parts(parts))));
        }

        private void send() throws IOException {
            int number = parts.size() + 1;
            // The client reads it again if it has to repeat the request, and nothing writes to it meanwhile.
            RequestBody body = RequestBody.fromByteBuffer(ByteBuffer.wrap(part, 0, length));
            String tag = asking(() -> client.uploadPart(
                            request -> request.bucket(bucket)
                                    .key(key)
                                    .uploadId(upload)
                                    .partNumber(number),
                            body))
                    .eTag();
            parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
            length = 0;
        }

        @Override
        public void close() {
            // What was not finished is deleted by the sweep.
        }
    }

    /** Reads an object. A reader that stops early must not read the rest of it, as the client would to reuse the connection. */
    private static final class Reader extends InputStream {
        private final InputStream object;
        private final Runnable abort;
        private boolean isRead;

        Reader(InputStream object, Runnable abort) {
            this.object = object;
            this.abort = abort;
        }

        @Override
        public int read() throws IOException {
            return noted(object.read());
        }

        @Override
        public int read(byte[] to, int from, int count) throws IOException {
            return noted(object.read(to, from, count));
        }

        private int noted(int read) {
            isRead |= read < 0;
            return read;
        }

        @Override
        public void close() throws IOException {
            if (!isRead) {
                abort.run();
            }
            object.close();
        }
    }
}
