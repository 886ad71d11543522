package dev.millrace.handler.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.handler.TestJob;
import dev.millrace.worker.JobException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpHandlerTest {
    private final LocalServer server = new LocalServer();
    private final HttpHandler handler = new HttpHandler(new HttpHandlerOptions(true));

    @AfterEach
    void stop() {
        handler.close();
        server.close();
    }

    @Test
    void resultsInStatusHeadersAndParsedJson() throws Exception {
        server.on("/items", 200, "application/json", "{\"price\": 12345678901234567890.123400, \"list\": [1]}");

        JsonNode result = handler.handle(TestJob.of("{'url': '%s'}", server.url("/items")));

        assertThat(result.path("status").intValue()).isEqualTo(200);
        assertThat(result.path("headers").path("content-type").textValue()).isEqualTo("application/json");
        assertThat(result.path("body").toString()).isEqualTo("{\"price\":12345678901234567890.123400,\"list\":[1]}");
        assertThat(result.path("duration_ms").longValue()).isNotNegative();
    }

    @Test
    void resultsInTextWhereTheBodyIsNoJson() throws Exception {
        server.on("/text", 200, "text/plain; charset=utf-8", "grüß")
                .on("/broken", 200, "application/json", "{broken")
                .on("/nothing", 204, "application/json", "");

        assertThat(body("/text").textValue()).isEqualTo("grüß");
        assertThat(body("/broken").textValue()).isEqualTo("{broken");
        assertThat(body("/nothing").isNull()).isTrue();
    }

    /** The first bytes of an image: as a text, they would lose what is no UTF-8. */
    @Test
    void resultsInBase64WhereTheBodyIsNoText() throws Exception {
        byte[] png = {(byte) 0x89, 'P', 'N', 'G', 0, (byte) 0xFF};
        for (String type :
                List.of("image/png", "application/octet-stream", "application/x-unknown", "text/plain", "")) {
            String path = "/" + type.replace('/', '-');
            server.on(path, type, png);

            JsonNode result = handler.handle(TestJob.of("{'url': '%s'}", server.url(path)));

            assertThat(result.path("body").binaryValue()).as(type).isEqualTo(png);
            assertThat(result.path("body_encoding").textValue()).as(type).isEqualTo("base64");
        }
    }

    @Test
    void takesABinaryTypeAtItsWord() throws Exception {
        server.on("/x.zip", "application/zip", "PK".getBytes(UTF_8))
                .on("/x.svg", "image/svg+xml", "<svg/>".getBytes(UTF_8));

        assertThat(body("/x.zip").textValue()).isEqualTo("UEs=");
        assertThat(body("/x.svg").textValue()).isEqualTo("<svg/>");
        server.on("/guessed", "application/octet-stream", "{\"a\": 1}".getBytes(UTF_8));
        assertThat(handler.handle(TestJob.of("{'url': '%s', 'response_body': 'guessed'}", server.url("/guessed")))
                        .path("body")
                        .toString())
                .isEqualTo("{\"a\":1}");
    }

    @ParameterizedTest
    @CsvSource({
        "text/plain; charset=iso-8859-1, Jos\u00e9, José",
        "text/html, <meta charset=windows-1252>\u0080, <meta charset=windows-1252>€",
        "application/xml, '<?xml version=\"1.0\" encoding=\"iso-8859-15\"?>\u00a4', '<?xml version=\"1.0\" encoding=\"iso-8859-15\"?>€'",
        "text/plain, '\u00ff\u00fea\u0000', a",
        "text/plain; charset=no-such, abc, YWJj",
        "text/plain; charset=iso-2022-jp, abc, YWJj"
    })
    void resultsInTheTextThatTheServerMeans(String type, String bytes, String expected) throws Exception {
        server.on("/text", type, bytes.getBytes(ISO_8859_1));

        assertThat(body("/text").textValue()).isEqualTo(expected);
    }

    @Test
    void sendsBytesAndTextsInTheEncodingOfTheirContentType() throws Exception {
        server.on("/in", 200, "text/plain", "ok");

        handler.handle(TestJob.of("{'url': '%s', 'method': 'PUT', 'body_base64': 'iVBO/w=='}", server.url("/in")));
        handler.handle(TestJob.of("""
                {'url': '%s', 'method': 'PUT', 'body': 'José', 'headers': {'Content-Type': 'text/plain; charset=iso-8859-1'}}""", server.url("/in")));

        assertThat(server.seen().get(0).bytes()).isEqualTo(new byte[] {(byte) 0x89, 'P', 'N', (byte) 0xFF});
        assertThat(server.seen().get(0).headers().getFirst("Content-Type")).isEqualTo("application/octet-stream");
        assertThat(server.seen().get(1).bytes()).isEqualTo("José".getBytes(ISO_8859_1));
        assertThat(failure("""
                        {'url': '%s', 'method': 'PUT', 'body': '5 €', 'headers': {'Content-Type': 'text/plain; charset=iso-8859-1'}}""", server.url("/in"))).hasMessageContaining("a text in ISO-8859-1");
        assertThat(failure("{'url': '%s', 'body_base64': '*'}", server.url("/in")))
                .hasMessageContaining("Base64");
        assertThat(failure("{'url': '%s', 'body': 'a', 'body_base64': ''}", server.url("/in")))
                .hasMessageContaining("there is a body");
    }

    @Test
    void describesABinaryBodyInAnError() {
        server.on("/broken", exchange -> {
            exchange.getResponseHeaders().add("Content-Type", "image/png");
            exchange.sendResponseHeaders(404, 3);
            exchange.getResponseBody().write(new byte[] {1, 2, (byte) 0xFF});
        });

        assertThat(failure("{'url': '%s'}", server.url("/broken"))).hasMessageContaining("404: 3 bytes of image/png");
    }

    @Test
    void resultsInHeadersAsTheyCameWhereListsAreAskedFor() throws Exception {
        server.on("/", exchange -> {
            exchange.getResponseHeaders().add("X-Many", "a");
            exchange.getResponseHeaders().add("X-Many", "b, c");
            exchange.sendResponseHeaders(200, -1);
        });

        JsonNode result = handler.handle(TestJob.of("{'url': '%s', 'response_headers': 'lists'}", server.url("/")));

        assertThat(result.path("headers").path("X-many").toString()).isEqualTo("[\"a\",\"b, c\"]");
        assertThat(failure("{'url': '%s', 'response_headers': 'list'}", server.url("/")))
                .hasMessageContaining("joined or lists");
    }

    @Test
    void parsesAnyBodyThatIsJsonWhereThatIsAskedFor() throws Exception {
        server.on("/json", 200, "text/plain", "{\"a\": [1]}").on("/text", 200, "application/json", "no JSON");

        String guessed = "{'url': '%s', 'response_body': 'guessed'}";
        assertThat(handler.handle(TestJob.of(guessed, server.url("/json")))
                        .path("body")
                        .toString())
                .isEqualTo("{\"a\":[1]}");
        assertThat(handler.handle(TestJob.of(guessed, server.url("/text")))
                        .path("body")
                        .textValue())
                .isEqualTo("no JSON");
    }

    @Test
    void sendsMethodQueryHeadersAndJsonBody() throws Exception {
        server.on("/orders", 201, "text/plain", "ok");

        handler.handle(TestJob.of("""
                {'url': '%s', 'method': 'post', 'query': {'page': 2, 'q': 'a b&c'}, 'headers': {'X-Mine': 'yes'},
                 'body': {'amount': 1.50}}""", server.url("/orders?fixed=1")));

        LocalServer.Seen seen = server.seen().getFirst();
        assertThat(seen.method()).isEqualTo("POST");
        assertThat(seen.uri()).isEqualTo("/orders?fixed=1&page=2&q=a%20b%26c");
        assertThat(seen.headers().getFirst("X-Mine")).isEqualTo("yes");
        assertThat(seen.headers().getFirst("Content-Type")).isEqualTo("application/json");
        assertThat(seen.body()).isEqualTo("{\"amount\":1.50}");
    }

    @Test
    void sendsATextBodyWithTheContentTypeThatIsAskedFor() throws Exception {
        server.on("/", 200, "text/plain", "ok");

        handler.handle(TestJob.of(
                "{'url': '%s', 'method': 'PUT', 'headers': {'Content-Type': 'text/csv'}, 'body': 'a,b'}",
                server.url("/")));

        assertThat(server.seen().getFirst().headers().get("Content-Type")).containsExactly("text/csv");
        assertThat(server.seen().getFirst().body()).isEqualTo("a,b");
    }

    @Test
    void handsOnTheTraceContext() throws Exception {
        server.on("/", 200, "text/plain", "ok");

        String call = "{\"url\": \"" + server.url("/") + "\"%s}";
        handler.handle(new TestJob(call.formatted(""), "00-aa-bb-01", "one=1", Set.of()));
        handler.handle(new TestJob(
                call.formatted(", \"headers\": {\"traceparent\": \"00-cc-dd-01\"}"), "00-aa-bb-01", "one=1", Set.of()));
        handler.handle(new TestJob(call.formatted(""), "", "one=1", Set.of()));

        assertThat(server.seen())
                .extracting(
                        seen -> seen.headers().getFirst("traceparent"),
                        seen -> seen.headers().getFirst("tracestate"))
                .containsExactly(tuple("00-aa-bb-01", "one=1"), tuple("00-cc-dd-01", null), tuple(null, null));
    }

    @ParameterizedTest
    @CsvSource({
        "404, '', false",
        "429, '', true",
        "500, '', true",
        "503, '', true",
        "404, ', \"retry_on_status\": [404]', true",
        "503, ', \"retry_on_status\": [404]', false",
        "404, ', \"retry_on_status\": \"all\"', true",
        "300, ', \"fail_from_status\": 300', false",
        "300, ', \"fail_from_status\": 300, \"retry_on_status\": \"all\"', true"
    })
    void failsWithTheStatusAndSaysWhetherARetryMayHelp(int status, String more, boolean retryable) {
        server.on("/broken", status, "text/plain", "no luck");

        JobException failure = failure("{'url': '%s'" + more + "}", server.url("/broken?key=secret"));

        assertThat(failure.name()).isEqualTo("HttpStatusError");
        assertThat(failure)
                .hasMessage("GET " + server.url("/broken") + " was answered with status " + status + ": no luck");
        assertThat(failure.isRetryable()).isEqualTo(retryable);
    }

    @Test
    void failsWhereMoreOfTheResponseIsLongInComing() {
        server.hang("/slow");

        JobException failure = failure("{'url': '%s', 'read_timeout': '100ms'}", server.url("/slow"));

        assertThat(failure.name()).isEqualTo("HttpConnectionError");
        assertThat(failure.isRetryable()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"301, GET", "302, GET", "303, GET", "307, POST", "308, POST"})
    void followsRedirectsAsBrowsersDo(int status, String method) throws Exception {
        server.redirect("/old", status, "/new").on("/new", 200, "text/plain", "here");

        JsonNode result =
                handler.handle(TestJob.of("{'url': '%s', 'method': 'POST', 'body': 'x'}", server.url("/old")));

        assertThat(result.path("body").textValue()).isEqualTo("here");
        assertThat(server.seen().get(1).method()).isEqualTo(method);
        assertThat(server.seen().get(1).body()).isEqualTo(method.equals("POST") ? "x" : "");
    }

    @Test
    void keepsCredentialsFromOtherServers() throws Exception {
        try (LocalServer other = new LocalServer()) {
            other.on("/", 200, "text/plain", "ok");
            server.redirect("/away", 302, other.url("/"));

            handler.handle(TestJob.of(
                    "{'url': '%s', 'headers': {'Authorization': 'Bearer x', 'Cookie': 'a=b', 'X-Api-Key': '1', 'Accept': 'text/plain'}}",
                    server.url("/away")));

            assertThat(server.seen().getFirst().headers()).containsKeys("Authorization", "Cookie", "X-api-key");
            assertThat(other.seen().getFirst().headers())
                    .doesNotContainKeys("Authorization", "Cookie", "X-api-key")
                    .containsEntry("Accept", List.of("text/plain"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/headers/Accept", "/headers", ""})
    void keepsSecretsFromOtherServersInWhateverHeaderTheyAre(String pointer) throws Exception {
        try (LocalServer other = new LocalServer()) {
            other.on("/", 200, "text/plain", "ok");
            server.redirect("/away", 302, other.url("/"));

            handler.handle(TestJob.of("{'url': '%s', 'headers': {'Accept': 'a-secret'}}", server.url("/away"))
                    .withBound(pointer));

            assertThat(server.seen().getFirst().headers()).containsEntry("Accept", List.of("a-secret"));
            assertThat(other.seen().getFirst().headers().toString()).doesNotContain("a-secret");
        }
    }

    @ParameterizedTest
    @CsvSource({"307,/body", "308,/body/key/0", "307,/body_base64", "308,''"})
    void sendsNoBodyWithSecretsToAnotherServer(int status, String pointer) {
        try (LocalServer other = new LocalServer()) {
            other.on("/", 200, "text/plain", "ok");
            server.redirect("/away", status, other.url("/"));
            String body = pointer.equals("/body_base64") ? "'body_base64': 'YQ=='" : "'body': {'key': ['a-secret']}";
            TestJob job = TestJob.of("{'url': '%s', 'method': 'POST', " + body + "}", server.url("/away"))
                    .withBound(pointer);

            JobException failure = catchThrowableOfType(JobException.class, () -> handler.handle(job));

            assertThat(failure.name()).isEqualTo("BadRedirect");
            assertThat(failure).hasMessageContaining("secrets or resources");
            assertThat(other.seen()).isEmpty();
        }
    }

    @Test
    void sendsOtherBodiesToAnotherServer() throws Exception {
        try (LocalServer other = new LocalServer()) {
            other.on("/", 200, "text/plain", "ok");
            server.redirect("/away", 307, other.url("/"));

            handler.handle(TestJob.of("{'url': '%s', 'method': 'POST', 'body': 'x'}", server.url("/away"))
                    .withBound("/headers/authorization"));

            assertThat(other.seen().getFirst().body()).isEqualTo("x");
        }
    }

    @Test
    void leavesRedirectsAloneWhereToldSo() throws Exception {
        server.redirect("/old", 302, "/new");

        JsonNode result = handler.handle(TestJob.of("{'url': '%s', 'follow_redirects': false}", server.url("/old")));

        assertThat(result.path("status").intValue()).isEqualTo(302);
        assertThat(result.path("headers").path("location").textValue()).isEqualTo("/new");
    }

    @Test
    void givesUpInACircle() {
        server.redirect("/round", 302, "/round");

        assertThat(failure("{'url': '%s'}", server.url("/round")).name()).isEqualTo("TooManyRedirects");
        assertThat(server.seen()).hasSize(HttpHandlerOptions.REDIRECTS_MAX + 1);
    }

    @Test
    void refusesAResponseOverTheLimitWithoutReadingItAll() {
        server.on("/endless", exchange -> {
            exchange.sendResponseHeaders(200, 0);
            byte[] chunk = new byte[1 << 16];
            while (true) {
                // Ends when the client closes the connection.
                exchange.getResponseBody().write(chunk);
            }
        });

        JobException failure = failure("{'url': '%s', 'response_limit_bytes': 1000}", server.url("/endless"));

        assertThat(failure.name()).isEqualTo("ResponseTooLarge");
        assertThat(failure.isRetryable()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"X-Header: value\r\n", "x", "X-Folded: value\r\n x"})
    void endsAResponseWhoseHeadDoesNotEnd(String piece) throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofVirtual().start(() -> answerWithoutEnd(server, piece));

            JobException failure = failure("{'url': 'http://localhost:%d/', 'timeout': '5s'}", server.getLocalPort());

            assertThat(failure.name()).isEqualTo("ResponseTooLarge");
            assertThat(failure.isRetryable()).isFalse();
        }
    }

    private static void answerWithoutEnd(ServerSocket server, String piece) {
        try (Socket client = server.accept()) {
            OutputStream out = client.getOutputStream();
            out.write("HTTP/1.1 200 OK\r\n".getBytes(UTF_8));
            byte[] pieces = piece.repeat(1000).getBytes(UTF_8);
            while (true) {
                out.write(pieces);
            }
        } catch (IOException e) {
            // The client has closed the connection.
        }
    }

    @Test
    void takesAResponseOfExactlyTheLimit() throws Exception {
        server.on("/", 200, "text/plain", "x".repeat(1000));

        JsonNode result = handler.handle(TestJob.of("{'url': '%s', 'response_limit_bytes': 1000}", server.url("/")));

        assertThat(result.path("body").textValue()).hasSize(1000);
    }

    @Test
    void timesOut() {
        server.hang("/slow");

        JobException failure = failure("{'url': '%s', 'timeout': '100ms'}", server.url("/slow"));

        assertThat(failure.name()).isEqualTo("HttpTimeout");
        assertThat(failure.isRetryable()).isTrue();
    }

    @Test
    void endsWithTheInterruptThatCancelsAJob() throws Exception {
        CompletableFuture<Thread> arrived = new CompletableFuture<>();
        CompletableFuture<Throwable> ended = new CompletableFuture<>();
        Thread thread = Thread.ofPlatform().unstarted(() -> {
            try {
                handler.handle(TestJob.of("{'url': '%s'}", server.url("/slow")));
            } catch (Exception failure) {
                ended.complete(failure);
            }
        });
        server.on("/slow", exchange -> {
            arrived.complete(thread);
            exchange.getHttpContext().getServer();
            ended.join();
        });
        thread.start();
        arrived.get(60, TimeUnit.SECONDS).interrupt();

        assertThat(ended.get(60, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void saysThatNobodyListens() throws Exception {
        int freePort;
        try (ServerSocket socket = new ServerSocket(0)) {
            freePort = socket.getLocalPort();
        }

        JobException failure = failure("{'url': 'http://localhost:%d/'}", freePort);

        assertThat(failure.name()).isEqualTo("HttpConnectionError");
        assertThat(failure).hasMessageContaining("localhost:" + freePort).hasMessageContaining("refused");
        assertThat(failure.isRetryable()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{'url': 'ftp://example.com/'}",
                "{'url': '/relative'}",
                "{'url': 'http://user:password@example.com/'}",
                "{'url': 'http://example.com/', 'method': 'CONNECT'}",
                "{'url': 'http://example.com/', 'method': 'G T'}",
                "{'url': 'http://example.com/', 'headers': {'X': 'a\\r\\nY: b'}}",
                "{'url': 'http://example.com/', 'headers': {'Host': 'other'}}",
                "{'url': 'http://example.com/', 'timeout': 0}",
                "{'url': 'http://example.com/', 'timeout': 'soon'}",
                "{'url': 'http://example.com/', 'retry_on_status': [1]}",
                "{'url': 'http://example.com/', 'retry_on_status': 'some'}",
                "{'url': 'http://example.com/', 'fail_from_status': 200}",
                "{'url': 'http://example.com/', 'response_limit_bytes': -1}",
                "{'url': 'http://example.com/', 'verify': false}"
            })
    void refusesABadInputForGood(String input) {
        assertThatThrownBy(() -> handler.handle(TestJob.of(input)))
                .isInstanceOfSatisfying(JobException.class, failure -> {
                    assertThat(failure.name()).isEqualTo("InputError");
                    assertThat(failure.isRetryable()).isFalse();
                });
    }

    private JsonNode body(String path) throws Exception {
        return handler.handle(TestJob.of("{'url': '%s'}", server.url(path))).path("body");
    }

    private JobException failure(String input, Object... arguments) {
        JobException failure =
                catchThrowableOfType(JobException.class, () -> handler.handle(TestJob.of(input, arguments)));
        assertThat(failure).isNotNull();
        return failure;
    }
}
