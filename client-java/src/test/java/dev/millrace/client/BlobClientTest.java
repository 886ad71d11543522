package dev.millrace.client;

import static dev.millrace.client.FakeScheduler.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.millrace.proto.blob.v1.BlobPart;
import dev.millrace.proto.blob.v1.BlobServiceGrpc;
import dev.millrace.proto.blob.v1.DownloadBlobRequest;
import dev.millrace.proto.blob.v1.DownloadBlobResponse;
import dev.millrace.proto.blob.v1.UploadBlobResponse;
import io.grpc.Status.Code;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BlobClientTest {
    private static final Retries QUICK =
            new Retries(4, Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofMillis(10));
    private static final dev.millrace.proto.blob.v1.Blob STORED = dev.millrace.proto.blob.v1.Blob.newBuilder()
            .setId("019a")
            .setBytes(6)
            .setSha256("ab")
            .setMediaType("a/b")
            .build();

    private final FakeScheduler scheduler = FakeScheduler.start();
    private final MillraceClient client =
            MillraceClient.builder().target(scheduler.target()).retries(QUICK).build(Map.of());

    @AfterEach
    void close() {
        client.close();
        scheduler.close();
    }

    @Test
    void aLostDownloadContinues() throws Exception {
        scheduler.on(
                BlobServiceGrpc.getDownloadBlobMethod(),
                List.of(part("abc"), refusal(Code.UNAVAILABLE, "The scheduler is stopping.")),
                List.of(part("def")));

        try (InputStream in = client.blobs().open(new Blob("019a", 6, "ab", "a/b"))) {
            assertThat(new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
                    .isEqualTo("abcdef");
        }
        assertThat(scheduler.requests(BlobServiceGrpc.getDownloadBlobMethod()))
                .extracting(DownloadBlobRequest::getOffset)
                .containsExactly(0L, 3L);
    }

    @Test
    void aBlobThatIsNotThereIsNotFound() {
        scheduler.on(BlobServiceGrpc.getDownloadBlobMethod(), refusal(Code.NOT_FOUND, "There is no blob 019a."));

        assertThatThrownBy(() -> client.blobs().open("019a").read()).isInstanceOf(NotFoundException.class);
    }

    @Test
    void anUploadReturnsTheReference(@TempDir Path folder) throws Exception {
        scheduler.on(
                BlobServiceGrpc.getUploadBlobMethod(),
                UploadBlobResponse.newBuilder().setBlob(STORED).build());
        Path file = Files.writeString(folder.resolve("table"), "abcdef");

        assertThat(client.blobs().put(file, "a/b")).isEqualTo(new Blob("019a", 6, "ab", "a/b"));
        assertThat(client.blobs()
                        .put(new ByteArrayInputStream(new byte[700_000]), "a/b")
                        .id())
                .isEqualTo("019a");
    }

    private static DownloadBlobResponse part(String text) {
        return DownloadBlobResponse.newBuilder()
                .setPart(BlobPart.newBuilder().setData(ByteString.copyFromUtf8(text)))
                .build();
    }
}
