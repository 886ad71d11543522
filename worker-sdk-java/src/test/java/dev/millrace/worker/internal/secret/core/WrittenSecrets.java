package dev.millrace.worker.internal.secret.core;

import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.ByteArrayOutputStream;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Random secrets, written as programs write them: by encoders that have nothing in common with those under test. */
final class WrittenSecrets {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectMapper ASCII_JSON = JsonMapper.builder()
            .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .build();
    /** No letters or digits, so that no encoding mixes them up with a secret. */
    private static final String BESIDE = " \t;:|{}~\u00b7";

    private static final String ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final List<String> ALPHABETS = List.of(
            "0123456789",
            "0123456789abcdef",
            ALPHANUMERIC,
            ALPHANUMERIC + "+/=",
            ALPHANUMERIC + "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ ",
            ALPHANUMERIC + "\n\t\"\\/'",
            ALPHANUMERIC + "äöüßéñ€漢字😀𝄞&<>");

    private final Random random;

    WrittenSecrets(Random random) {
        this.random = random;
    }

    /** A text that contains a secret in some spelling. */
    record Written(String how, String before, String secret, String after) {
        String whole() {
            return before + secret + after;
        }
    }

    /** Returns a random secret of 8 bytes or more that neither begins nor ends with white space. */
    String secret() {
        int[] alphabet =
                ALPHABETS.get(random.nextInt(ALPHABETS.size())).codePoints().toArray();
        int length = random.nextInt(10) == 0 ? 200 : 40;
        StringBuilder secret = new StringBuilder();
        for (int i = 8 + random.nextInt(length); i > 0; i--) {
            secret.appendCodePoint(alphabet[random.nextInt(alphabet.length)]);
        }
        return "k" + secret + "k";
    }

    Written write(String secret) {
        String before = beside();
        String after = beside();
        byte[] utf8 = secret.getBytes(UTF_8);
        return switch (random.nextInt(20)) {
            case 0 -> new Written("plain", before, secret, after);
            case 1 -> new Written("json", before, json(JSON, secret), after);
            case 2 -> new Written("ascii json", before, json(ASCII_JSON, secret), after);
            case 3 -> new Written("ascii json", before, lowerCodes(json(ASCII_JSON, secret)), after);
            case 4 ->
                new Written("json of PHP", before, json(ASCII_JSON, secret).replace("/", "\\/"), after);
            case 5 -> new Written("form", before, URLEncoder.encode(secret, UTF_8), after);
            case 6 ->
                new Written("address", before, URLEncoder.encode(secret, UTF_8).replace("+", "%20"), after);
            case 7 ->
                new Written(
                        "lower address",
                        before,
                        lowerPercent(URLEncoder.encode(secret, UTF_8)
                                .replace("*", "%2A")
                                .replace("%7E", "~")),
                        after);
            case 8 -> new Written("hex", before, HexFormat.of().formatHex(utf8), after);
            case 9 -> new Written("HEX", before, HexFormat.of().withUpperCase().formatHex(utf8), after);
            case 10 -> base64("base64", Base64.getEncoder(), utf8);
            case 11 -> base64("base64url", Base64.getUrlEncoder().withoutPadding(), utf8);
            case 12 ->
                new Written(
                        "mime",
                        before,
                        Base64.getMimeEncoder(76, new byte[] {'\n'}).encodeToString(utf8),
                        after);
            case 13 -> new Written("line", before, line(secret), after);
            case 14 -> new Written("json in json", before, json(JSON, json(ASCII_JSON, secret)), after);
            case 15 ->
                new Written("json in ascii json", before, lowerCodes(json(ASCII_JSON, json(JSON, secret))), after);
            case 16 ->
                new Written(
                        "json in json in json",
                        before,
                        json(JSON, json(JSON, lowerCodes(json(ASCII_JSON, secret)))),
                        after);
            case 17 -> new Written("repr of json", before, repr(lowerCodes(json(ASCII_JSON, secret))), after);
            case 18 -> new Written("json of repr", before, json(JSON, repr(secret)), after);
            default ->
                secret.length() == utf8.length
                        ? new Written("utf-16", before, utf16(secret), after)
                        : new Written("codes", before, codes(secret), after);
        };
    }

    /** Base64 of a random text with the secret in it; the secret's own characters are those between. */
    private Written base64(String how, Base64.Encoder encoder, byte[] secret) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int before = random.nextInt(5);
        int after = random.nextInt(5);
        all.writeBytes(bytes(before));
        all.writeBytes(secret);
        all.writeBytes(bytes(after));
        String encoded = encoder.encodeToString(all.toByteArray());
        int from = (before * 8 + 5) / 6;
        int to = (before + secret.length) * 8 / 6;
        return new Written(how, encoded.substring(0, from), encoded.substring(from, to), encoded.substring(to));
    }

    private static String line(String secret) {
        return secret.lines()
                .map(String::strip)
                .filter(line -> line.length() >= SecretPatterns.PART_BYTES_MIN)
                .findFirst()
                .orElse(secret);
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private String beside() {
        StringBuilder beside = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            beside.append(BESIDE.charAt(random.nextInt(BESIDE.length())));
        }
        return beside.toString();
    }

    private String utf16(String ascii) {
        return new String(ascii.getBytes(random.nextBoolean() ? UTF_16LE : UTF_16BE), UTF_8);
    }

    private static String json(ObjectMapper mapper, String secret) {
        try {
            String quoted = mapper.writeValueAsString(secret);
            return quoted.substring(1, quoted.length() - 1);
        } catch (JsonProcessingException e) {
            throw new AssertionError(e);
        }
    }

    /** The text between the quotes of Python's {@code repr}, for a text with quotes of both kinds. */
    private static String repr(String text) {
        return text.replace("\\", "\\\\")
                .replace("'", "\\'")
                .replace("\n", "\\n")
                .replace("\t", "\\t")
                .replace("\r", "\\r");
    }

    private static String codes(String secret) {
        StringBuilder codes = new StringBuilder();
        secret.chars().forEach(c -> codes.append(String.format("\\u%04x", c)));
        return codes.toString();
    }

    private static String lowerCodes(String json) {
        return replaced(json, "\\\\u[0-9A-F]{4}");
    }

    private static String lowerPercent(String encoded) {
        return replaced(encoded, "%[0-9A-F]{2}");
    }

    private static String replaced(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(match.group().toLowerCase(Locale.ROOT)));
    }
}
