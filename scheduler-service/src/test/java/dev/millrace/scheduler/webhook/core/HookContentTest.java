package dev.millrace.scheduler.webhook.core;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.webhook.core.HookContent.Need;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Bodies by their content types, and what becomes of them: inputs, and names of messages. */
class HookContentTest {
    private static final int ROUNDS = 2_000;

    private static final String FORM = """
            --XX\r
            Content-Disposition: form-data; name="a"\r
            \r
            1\r
            --XX\r
            Content-Disposition: form-data; name="a"\r
            \r
            \r
            --XX\r
            Content-Disposition: form-data; name="f"; filename="x.bin"\r
            Content-Type: image/png\r
            \r
            \u00ff\u0000\r
            --XX--\r
            """;

    @Test
    void readsEachContentType() {
        assertThat(body("application/json", "{\"a\": 1.0}")).isEqualTo("{\"a\": 1.0}");
        assertThat(body("Application/Problem+JSON; charset=UTF-8", "[1]")).isEqualTo("[1]");
        assertThat(body("application/x-www-form-urlencoded", "a=1&b=%C3%A4+%2B&a=&c"))
                .isEqualTo("{\"a\":[\"1\",\"\"],\"b\":\"ä +\",\"c\":\"\"}");
        assertThat(body("text/plain", "a\"b")).isEqualTo("\"a\\\"b\"");
        assertThat(body("application/octet-stream", "ab")).isEqualTo("\"YWI=\"");
        assertThat(body("application/json", "")).isEqualTo("null");
        assertThat(read(FORM.getBytes(ISO_8859_1), "content-type: multipart/form-data; boundary=\"XX\""))
                .isEqualTo("{\"a\":[\"1\",\"\"],\"f\":{\"filename\":\"x.bin\",\"content_type\":\"image/png\","
                        + "\"base64\":\"/wA=\"}}");
    }

    @Test
    void refusesWhatIsNotWhatItsTypeSays() {
        assertThat(body("application/json", "{\"a\": }")).startsWith("refused: The body cannot be read as JSON");
        assertThat(body("application/json; charset=utf-16", "{}")).contains("utf-16");
        assertThat(body("application/x-www-form-urlencoded", "a=%4")).startsWith("refused");
        assertThat(body("application/x-www-form-urlencoded", "a&".repeat(FormText.VALUES_MAX + 1)))
                .startsWith("refused");
        assertThat(body("multipart/form-data", "x")).contains("boundary");
        assertThat(read(new byte[] {(byte) 0xff}, "content-type: text/plain")).contains("UTF-8");
    }

    /** A body of many short parts would take many times its room once it is split. */
    @Test
    void refusesBodiesOfMorePartsThanAnybodySends() {
        String headers = "--b\r\nContent-Disposition: form-data; name=a\r\n";
        String end = "\r\n\r\nx\r\n--b--";

        assertThat(body("application/json", members(HookContent.MEMBERS_MAX))).startsWith("{\"k0\":0,");
        assertThat(body("application/json", members(HookContent.MEMBERS_MAX + 1)))
                .contains("10000 members");
        assertThat(body("application/json", "[" + members(9_000) + "," + members(9_000) + "]"))
                .startsWith("[");
        assertThat(body("application/json", "{\"a\":" + members(HookContent.MEMBERS_MAX) + "}"))
                .contains("10000 members");
        assertThat(body("application/json", "[" + "0,".repeat(100_000) + "0]")).startsWith("[");
        assertThat(body("multipart/form-data; boundary=b", headers + "a".repeat(8_000) + end))
                .isEqualTo("{\"a\":\"x\"}");
        assertThat(body("multipart/form-data; boundary=b", headers + "a".repeat(8_200) + end))
                .contains("headers of");
        assertThat(body("text/plain", "\t\n".repeat(100_000))).startsWith("\"");
        assertThat(body("text/plain", "\u0001".repeat(BodyText.CONTROLS_MAX + 1)))
                .contains("control characters");
    }

    private static String members(int count) {
        return IntStream.range(0, count)
                .mapToObj(index -> "\"k" + index + "\":0")
                .collect(Collectors.joining(",", "{", "}"));
    }

    /** Web shops, SMS gateways and banks send such bodies, and cannot be changed. */
    @Test
    void readsTextsInTheEncodingThatTheirSenderDeclares() {
        assertThat(latin("text/plain; charset=iso-8859-1", "Jos\u00e9")).isEqualTo("\"José\"");
        assertThat(latin("text/csv; charset=\"windows-1252\"", "5 \u0080")).isEqualTo("\"5 €\"");
        assertThat(latin("text/plain; charset=Shift_JIS", "\u0093\u00fa\u0096\u007b"))
                .isEqualTo("\"日本\"");
        assertThat(latin("application/xml", "<?xml version='1.0' encoding='iso-8859-15'?><a>\u00a4</a>"))
                .contains("<a>€</a>");
        assertThat(latin("text/xml; charset=utf-8", "<a>\u00c3\u00a9</a>")).isEqualTo("\"<a>é</a>\"");
    }

    @Test
    void readsFormsInTheEncodingThatTheyDeclare() {
        String form = "application/x-www-form-urlencoded";
        assertThat(latin(form + "; charset=windows-1251", "a=%CF%F0&b=\u00cf")).isEqualTo("{\"a\":\"Пр\",\"b\":\"П\"}");
        assertThat(latin(form, "_charset_=iso-8859-1&n=Jos%E9"))
                .isEqualTo("{\"_charset_\":\"iso-8859-1\",\"n\":\"José\"}");
        assertThat(latin(form, "first_name=Jos%E9&charset=windows-1252"))
                .as("PayPal")
                .isEqualTo("{\"first_name\":\"José\",\"charset\":\"windows-1252\"}");
        assertThat(latin(form, "n=Jos%C3%A9&charset=latin1"))
                .as("a field that only happens to have this name")
                .contains("\"José\"");
        assertThat(latin("multipart/form-data; boundary=XX", """
                        --XX\r
                        Content-Disposition: form-data; name="_charset_"\r
                        \r
                        iso-8859-1\r
                        --XX\r
                        Content-Disposition: form-data; name="n"\r
                        \r
                        Jos\u00e9\r
                        --XX\r
                        Content-Disposition: form-data; name="k"\r
                        Content-Type: text/plain; charset=koi8-r\r
                        \r
                        \u00f0\r
                        --XX\r
                        Content-Disposition: form-data; name="f"; filename="\u00e9.bin"\r
                        \r
                        \u00ff\r
                        --XX\r
                        Content-Disposition: form-data; name="p"\r
                        Content-Type: image/png\r
                        \r
                        \u00ff\r
                        --XX--\r
                        """))
                .isEqualTo("{\"_charset_\":\"iso-8859-1\",\"n\":\"José\",\"k\":\"П\","
                        + "\"f\":{\"filename\":\"é.bin\",\"content_type\":\"application/octet-stream\",\"base64\":\"/w==\"},"
                        + "\"p\":{\"content_type\":\"image/png\",\"base64\":\"/w==\"}}");
    }

    @Test
    void replacesNoByteAndSaysWhereTheFirstWrongOneIs() {
        assertThat(latin("text/plain", "ab\u00e9"))
                .startsWith("refused: The body is not UTF-8: the byte 0xE9 at offset 2 is no part of a character.");
        assertThat(latin("text/plain; charset=windows-1252", "\u0081")).contains("windows-1252", "0x81 at offset 0");
        assertThat(latin("application/x-www-form-urlencoded", "a=1&name=x%E9"))
                .startsWith("refused: The field name is not UTF-8: the byte 0xE9 at offset 1");
        assertThat(latin("text/plain; charset=iso-2022-jp", "a")).contains("iso-2022-jp, which is not read here");
        assertThat(latin("application/x-www-form-urlencoded; charset=utf-16", "a"))
                .contains("utf-16");
        assertThat(latin("application/json; charset=iso-8859-1", "\"\u00e9\"")).contains("expected: utf-8");
    }

    @Test
    void refusesNothingThatTheWebhookDoesNotNeed() {
        HookCall form = call("a=%E9".getBytes(UTF_8), "content-type: application/x-www-form-urlencoded");
        HookCall json = call("{not json", "content-type: application/json", "ce-specversion: 1.0");

        assertThat(HookContent.read(form, Set.of()))
                .isEqualTo(new HookContent.Reading.Read(new HookContent(JsonValue.NULL, Optional.empty())));
        assertThat(HookContent.read(json, Set.of())).isInstanceOf(HookContent.Reading.Read.class);
        assertThat(HookContent.read(form, Set.of(Need.EVENT))).isInstanceOf(HookContent.Reading.Read.class);
        assertThat(HookContent.read(form, Set.of(Need.BODY))).isInstanceOf(HookContent.Reading.Unreadable.class);
        assertThat(HookContent.read(json, Set.of(Need.EVENT))).isInstanceOf(HookContent.Reading.Unreadable.class);
    }

    /** Reads a body whose characters stand for bytes. */
    private static String latin(String type, String body) {
        return read(body.getBytes(ISO_8859_1), "content-type: " + type);
    }

    @Test
    void readsCloudEventsInBothModes() {
        HookCall binary = call(
                "{\"n\":1}",
                "content-type: application/json",
                "ce-specversion: 1.0",
                "ce-id: 7",
                "ce-source: /shop%20a",
                "ce-type: order");
        HookCall structured = call(
                "{\"specversion\":\"1.0\",\"id\":\"7\",\"source\":\"/shop a\",\"type\":\"order\",\"data\":{\"n\":1}}",
                "content-type: application/cloudevents+json");

        HookContent first = content(binary);
        HookContent second = content(structured);

        assertThat(first).isEqualTo(second);
        assertThat(key(new Deduplication.ByMessage(), Scheme.TOKEN, binary)).contains("/shop a 7");
        assertThat(HookInput.of(JsonValue.EMPTY_OBJECT, List.of(InputPart.BODY, InputPart.EVENT), binary, first, "")
                        .toString())
                .startsWith("{\"body\":{\"n\":1},\"event\":{\"specversion\":\"1.0\"");
        assertThat(read("{\"specversion\":\"1.0\"}".getBytes(UTF_8), "content-type: application/cloudevents+json"))
                .contains("attribute id");
    }

    @Test
    void fixedMembersWinAndSecretsStayOut() {
        HookCall call =
                call("{\"a\":1,\"b\":2}", "content-type: application/json", "Cookie: c", "X-Key: k", "Accept: */*");
        JsonValue fixed = JsonValue.of("{\"b\":3}");

        assertThat(HookInput.of(fixed, List.of(), call, content(call), "").toString())
                .isEqualTo("{\"a\":1,\"b\":3}");
        assertThat(HookInput.of(fixed, List.of(InputPart.values()), call, content(call), "x-key")
                        .toString())
                .isEqualTo("{\"body\":{\"a\":1,\"b\":2},\"raw_body\":\"eyJhIjoxLCJiIjoyfQ==\",\"headers\":"
                        + "{\"content-type\":\"application/json\",\"accept\":\"*/*\"},\"query\":{\"q\":\"1\"},"
                        + "\"method\":\"POST\",\"event\":null,\"b\":3}");
    }

    @Test
    void namesMessages() {
        HookCall call = call("{\"id\":\"evt_1\",\"o\":{\"n\":5}}", "content-type: application/json", "x-id: 9");

        assertThat(key(new Deduplication.ByMessage(), Scheme.STRIPE, call)).contains("evt_1");
        assertThat(key(new Deduplication.ByMessage(), Scheme.TOKEN, call)).isEmpty();
        assertThat(key(new Deduplication.ByHeader("X-Id"), Scheme.TOKEN, call)).contains("9");
        assertThat(key(new Deduplication.ByBody("o.n"), Scheme.TOKEN, call)).contains("5");
        assertThat(key(new Deduplication.ByBody("o.n.m"), Scheme.TOKEN, call)).isEmpty();
        assertThat(key(new Deduplication.Off(), Scheme.STRIPE, call)).isEmpty();
    }

    /** Bytes at random positions are changed: each body is read or refused, and never anything else. */
    @Test
    void survivesBrokenBodies() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] body = FORM.getBytes(ISO_8859_1);
            for (int change = 0; change <= random.nextInt(5); change++) {
                body[random.nextInt(body.length)] = (byte) random.nextInt(256);
            }
            byte[] part = Arrays.copyOf(body, random.nextInt(body.length + 1));
            String type = List.of(
                            "multipart/form-data; boundary=XX",
                            "application/json",
                            "text/x",
                            "application/x-www-form-urlencoded")
                    .get(random.nextInt(4));
            assertThat(read(part, "content-type: " + type)).as("seed " + seed).isNotEmpty();
        }
    }

    private static String body(String type, String body) {
        return read(body.getBytes(UTF_8), "content-type: " + type);
    }

    private static String read(byte[] body, String... headers) {
        return switch (HookContent.read(call(body, headers), EnumSet.allOf(Need.class))) {
            case HookContent.Reading.Read(HookContent content) -> content.body().toString();
            case HookContent.Reading.Unreadable(String sentence) -> "refused: " + sentence;
        };
    }

    private static HookContent content(HookCall call) {
        return ((HookContent.Reading.Read) HookContent.read(call, EnumSet.allOf(Need.class))).content();
    }

    private static Optional<String> key(Deduplication by, Scheme scheme, HookCall call) {
        return Deduplication.key(by, scheme, call, content(call), new Verdict.Genuine(Optional.empty()));
    }

    private static HookCall call(String body, String... headers) {
        return call(body.getBytes(UTF_8), headers);
    }

    private static HookCall call(byte[] body, String... headers) {
        List<HookCall.Header> split = Arrays.stream(headers)
                .map(line -> line.split(": ", 2))
                .map(pair -> new HookCall.Header(pair[0], pair[1]))
                .toList();
        return new HookCall("POST", "a/b", "q=1", split, body);
    }
}
