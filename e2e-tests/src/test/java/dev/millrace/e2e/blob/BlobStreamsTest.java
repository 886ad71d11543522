package dev.millrace.e2e.blob;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.e2e.support.Api;
import dev.millrace.e2e.support.Installation;
import dev.millrace.e2e.support.Json;
import dev.millrace.harness.Await;
import dev.millrace.harness.ClusterPlan;
import dev.millrace.harness.ServiceProcess;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests that blobs pass through services with small heaps, and that a killed service leaves no half a blob. */
@Tag("nightly")
final class BlobStreamsTest {
    private static final int LARGE_BYTES = 64 << 20;
    private static final long GIBIBYTE = 1L << 30;
    private static final String BLOBS = "/api/v1/blobs";

    @Test
    void passesMoreThanAnyHeapHoldsAndSurvivesKills() throws Exception {
        try (var installation =
                        Installation.start("blob-streams", ClusterPlan.small().withJvmFlag("-Xmx128m"));
                var http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            URI blobs = installation.cluster().gatewayUrl().resolve(BLOBS);
            HttpResponse<String> stored = upload(http, blobs);
            var blob = Json.parse(stored.body());
            String address = blobs + "/" + blob.path("$blob").asText();

            assertThat(blob.path("bytes").asInt()).isEqualTo(LARGE_BYTES);
            assertThat(blob.path("sha256").asText()).isEqualTo(sha256(bytes(), LARGE_BYTES));
            assertThat(download(http, address)).isEqualTo(blob.path("sha256").asText());

            for (ServiceProcess service : new ServiceProcess[] {
                installation.cluster().gateway(), installation.cluster().scheduler(0)
            }) {
                killDuringAnUpload(installation, service);
                assertThat(installation.api().get(BLOBS).ok().path("items"))
                        .as("blobs after " + service.name() + " was killed")
                        .hasSize(1);
                assertThat(download(http, address))
                        .isEqualTo(blob.path("sha256").asText());
            }
        }
    }

    @Test
    void aResultOfAGibibytePassesThroughWorkerSchedulerAndGatewayWithSmallHeaps() throws Exception {
        try (var installation =
                        Installation.start("blob-result", ClusterPlan.small().withJvmFlag("-Xmx128m"));
                var http = HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build()) {
            Api api = installation.api();
            api.deployScript("large/make.py", """
                    import hashlib, os, tempfile
                    from pathlib import Path
                    from millrace import blobs

                    def main(mebibytes: int):
                        block, digest = os.urandom(1 << 20), hashlib.sha256()
                        with tempfile.NamedTemporaryFile("wb") as file:
                            for _ in range(mebibytes):
                                file.write(block)
                                digest.update(block)
                            file.flush()
                            return {"blob": blobs.put(Path(file.name)), "sha256": digest.hexdigest()}
                    """);
            api.deployScript("large/read.py", """
                    import hashlib
                    from millrace import blobs

                    def main(blob: blobs.Blob) -> str:
                        digest = hashlib.sha256()
                        with blobs.open(blob) as file:
                            while block := file.read(1 << 20):
                                digest.update(block)
                        return digest.hexdigest()
                    """);

            var made = output(api, "large/make.py", Map.of("mebibytes", GIBIBYTE >> 20));
            var blob = made.path("blob");

            assertThat(blob.path("bytes").asLong()).isEqualTo(GIBIBYTE);
            assertThat(blob.path("sha256").asText())
                    .isEqualTo(made.path("sha256").asText());
            assertThat(output(api, "large/read.py", Map.of("blob", blob)).asText())
                    .isEqualTo(made.path("sha256").asText());
            URI address = installation
                    .cluster()
                    .gatewayUrl()
                    .resolve(BLOBS + "/" + blob.path("$blob").asText());
            assertThat(download(http, address.toString(), GIBIBYTE))
                    .isEqualTo(made.path("sha256").asText());
        }
    }

    private static JsonNode output(Api api, String script, Map<String, Object> input) {
        JsonNode run = api.runToEnd(Map.of("target", Map.of("script", script), "input", input));
        assertThat(run.path("state").asText()).as(run.toString()).isEqualTo("succeeded");
        return run.path("output");
    }

    private static void killDuringAnUpload(Installation installation, ServiceProcess service) throws IOException {
        URI gateway = installation.cluster().gatewayUrl();
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.getPort())) {
            var out = socket.getOutputStream();
            out.write(("POST " + BLOBS + " HTTP/1.1\r\nHost: localhost:" + gateway.getPort() + "\r\nContent-Length: "
                            + LARGE_BYTES + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            out.write(new byte[8 << 20]);
            out.flush();
            service.kill();
        }
        service.start();
        installation.api().awaitReady();
        // The scheduler may need a moment to answer more than the check of its health.
        Await.until(
                "blobs can be listed",
                Api.PATIENCE,
                () -> installation.api().get(BLOBS).status() == 200);
    }

    private static HttpResponse<String> upload(HttpClient http, URI blobs) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(blobs)
                        .POST(BodyPublishers.fromPublisher(
                                BodyPublishers.ofInputStream(BlobStreamsTest::bytes), LARGE_BYTES))
                        .build(),
                BodyHandlers.ofString());
    }

    private static String download(HttpClient http, String address) throws IOException, InterruptedException {
        return download(http, address, LARGE_BYTES);
    }

    private static String download(HttpClient http, String address, long bytes)
            throws IOException, InterruptedException {
        HttpResponse<InputStream> answer =
                http.send(HttpRequest.newBuilder(URI.create(address)).build(), BodyHandlers.ofInputStream());
        assertThat(answer.statusCode()).isEqualTo(200);
        return sha256(answer.body(), bytes);
    }

    private static String sha256(InputStream bytes, long expected) {
        try (var digested = new DigestInputStream(bytes, MessageDigest.getInstance("SHA-256"))) {
            assertThat(digested.transferTo(OutputStream.nullOutputStream())).isEqualTo(expected);
            return HexFormat.of().formatHex(digested.getMessageDigest().digest());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("Every Java platform has SHA-256.", e);
        }
    }

    /** The same random bytes each time, which exist only as they are read. */
    private static InputStream bytes() {
        var random = new Random(7);
        return new InputStream() {
            private int left = LARGE_BYTES;

            @Override
            public int read() {
                throw new UnsupportedOperationException("read several bytes");
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                if (left == 0) {
                    return -1;
                }
                // Whole pieces of one size, so that the same bytes come however they are read.
                int count = Math.min(left, Math.min(length, 4096));
                for (int i = 0; i < count; i++) {
                    target[offset + i] = (byte) random.nextInt();
                }
                left -= count;
                return count;
            }
        };
    }
}
