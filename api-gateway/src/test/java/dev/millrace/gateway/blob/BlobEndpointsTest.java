package dev.millrace.gateway.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import dev.millrace.gateway.testing.GatewayTest;
import dev.millrace.proto.blob.v1.Blob;
import dev.millrace.proto.blob.v1.UploadBlobRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BlobEndpointsTest extends GatewayTest {

    private static final String BLOBS = "/api/v1/workspaces/team-a/blobs";
    private static final String TEXT = "The quick brown fox jumps over the lazy dog.";

    @Test
    void passesABodyOfAnySizeOn() {
        restart(Map.of("millrace.gateway.request-bytes-max", "1000"));
        var body = TEXT.repeat(100_000);

        var answer = upload(body, "content-type", "text/x-fox; charset=utf-8");

        assertThat(answer.statusCode()).isEqualTo(201);
        var blob = json(answer);
        var id = blob.path("$blob").asText();
        assertThat(answer.headers().firstValue("location")).hasValue(BLOBS + "/" + id);
        assertThat(blob.path("bytes").asInt()).isEqualTo(body.length());
        assertThat(blob.path("media_type").asText()).isEqualTo("text/x-fox; charset=utf-8");
        assertThat(scheduler.blobs.bytes(id)).isEqualTo(ByteString.copyFromUtf8(body));
        assertThat(scheduler.requests)
                .allSatisfy(message ->
                        assertThat(((UploadBlobRequest) message).getWorkspace()).isEqualTo("team-a"))
                .allSatisfy(message -> assertThat(
                                ((UploadBlobRequest) message).getData().size())
                        .isLessThan(1 << 20));
    }

    @Test
    void announcesWhatTheHeadersSay() {
        var digest = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03";

        upload("hello\n", "Content-Digest", "md5=:AAAA:, sha-256=:" + base64(digest) + ":");

        assertThat(scheduler.requests.getFirst())
                .isEqualTo(UploadBlobRequest.newBuilder()
                        .setWorkspace("team-a")
                        .setMediaType("application/octet-stream")
                        .setBytes(6)
                        .setSha256(digest)
                        .build());
        problem(upload("hello\n", "Content-Digest", "sha-256=:AAAA:"), 400, "invalid_argument");
    }

    @Test
    void storesAnEmptyBody() {
        assertThat(json(upload("")).path("bytes").asInt()).isZero();
    }

    @Test
    void refusesForms() {
        for (var type : new String[] {"application/x-www-form-urlencoded", "multipart/form-data; boundary=x"}) {
            problem(upload(TEXT, "content-type", type), 415, "unsupported_media_type");
        }
        assertThat(scheduler.requests).isEmpty();
    }

    @Test
    void answersWithTheRefusalOfTheScheduler() {
        problem(upload(TEXT.repeat(10_000), "content-type", "application/refused"), 429, "quota_exceeded");
    }

    @Test
    void cancelsAnUploadWhoseCallerHasGone() throws IOException, InterruptedException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port())) {
            socket.getOutputStream()
                    .write(("POST " + BLOBS + " HTTP/1.1\r\nHost: localhost:" + gateway.port()
                                    + "\r\nContent-Length: 1000\r\n\r\nthe beginning")
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            assertThat(scheduler.blobs.begun.await(60, TimeUnit.SECONDS)).isTrue();
        }

        assertThat(scheduler.blobs.canceled.await(60, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void givesTheWholeOrARange() {
        var blob = scheduler.blobs.add("text/x-fox", ByteString.copyFromUtf8(TEXT));
        var tag = "\"" + blob.getSha256() + "\"";

        var whole = get(address(blob));
        assertThat(whole.statusCode()).isEqualTo(200);
        assertThat(whole.body()).isEqualTo(TEXT);
        assertThat(whole.headers().firstValueAsLong("content-length")).hasValue(TEXT.length());
        assertThat(whole.headers().firstValue("etag")).hasValue(tag);
        var part = download(blob, "range", "bytes=4-8");
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.body()).isEqualTo("quick");
        assertThat(part.headers().firstValue("content-range")).hasValue("bytes 4-8/" + TEXT.length());
        assertThat(download(blob, "range", "bytes=-4").body()).isEqualTo("dog.");
        assertThat(download(blob, "range", "bytes=4-8", "if-range", tag).body()).isEqualTo("quick");
        assertThat(download(blob, "range", "bytes=4-8", "if-range", "\"other\"").body())
                .isEqualTo(TEXT);
        assertThat(download(blob, "if-none-match", "W/\"other\", " + tag).statusCode())
                .isEqualTo(304);
        var beyond = download(blob, "range", "bytes=" + TEXT.length() + "-");
        problem(beyond, 416, "blob_too_short");
        assertThat(beyond.headers().firstValue("content-range")).hasValue("bytes */" + TEXT.length());
    }

    @Test
    void describesABlobWithoutItsBytes() {
        var blob = scheduler.blobs.add("text/x-fox", ByteString.copyFromUtf8(TEXT));

        var answer = send(request(address(blob)).method("HEAD", BodyPublishers.noBody()));

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValueAsLong("content-length")).hasValue(TEXT.length());
        assertThat(answer.headers().firstValue("content-type")).hasValue("text/x-fox");
    }

    @Test
    void letsNoBlobActAsAPageOfTheGateway() {
        var blob = scheduler.blobs.add("text/html", ByteString.copyFromUtf8("<script>alert(1)</script>"));

        var headers = get(address(blob)).headers();

        assertThat(headers.firstValue("content-disposition").orElseThrow()).startsWith("attachment");
        assertThat(headers.firstValue("x-content-type-options")).hasValue("nosniff");
        assertThat(headers.allValues("content-security-policy"))
                .containsExactly("default-src 'none'; frame-ancestors 'none'; sandbox");
    }

    @Test
    void breaksTheConnectionIfTheBytesEndEarly() {
        var blob = scheduler.blobs.add("text/x-fox", ByteString.copyFromUtf8(TEXT));
        scheduler.blobs.partsMax = 2;

        assertThatThrownBy(() -> get(address(blob))).hasCauseInstanceOf(IOException.class);
    }

    @Test
    void listsAndDeletes() {
        var blob = scheduler.blobs.add("text/x-fox", ByteString.copyFromUtf8(TEXT));

        var listed = json(get(BLOBS)).path("items").path(0);
        assertThat(listed.path("$blob").asText()).isEqualTo(blob.getId());
        assertThat(listed.path("is_used").asBoolean()).isTrue();
        assertThat(listed.path("create_time").asText()).startsWith("2027-");
        assertThat(json(delete(address(blob))).path("sha256").asText()).isEqualTo(blob.getSha256());
        problem(get(address(blob)), 404, "blob_not_found");
    }

    private static String address(Blob blob) {
        return BLOBS + "/" + blob.getId();
    }

    private HttpResponse<String> upload(String body, String... headers) {
        var request = request(BLOBS).POST(BodyPublishers.ofString(body));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    private HttpResponse<String> download(Blob blob, String... headers) {
        return send(request(address(blob)).headers(headers));
    }

    private static String base64(String hexadecimal) {
        return Base64.getEncoder().encodeToString(HexFormat.of().parseHex(hexadecimal));
    }
}
