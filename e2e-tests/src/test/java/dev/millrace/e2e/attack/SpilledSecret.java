package dev.millrace.e2e.attack;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.TextNode;
import java.net.URLEncoder;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A random secret and the way in which a script writes it.
 *
 * @param spelling name of an encoder in the scripts
 * @param beside number of bytes that the script encodes before the secret, for encodings in which that matters
 */
record SpilledSecret(String name, String value, String spelling, int beside) {
    private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    private static final String SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ ";
    private static final int LENGTH_MIN = 20;
    private static final int LENGTH_MAX = 60;
    private static final int FIRST_HAN = 0x4e00;
    private static final int LAST_HAN = 0x9fff;
    private static final int FIRST_EMOJI = 0x1f600;
    private static final int LAST_EMOJI = 0x1f640;

    static SpilledSecret random(String name, List<String> spellings, RandomGenerator random) {
        return new SpilledSecret(
                name, "k" + body(random) + "k", spellings.get(random.nextInt(spellings.size())), random.nextInt(3));
    }

    private static String body(RandomGenerator random) {
        int kind = random.nextInt(5);
        return IntStream.range(0, random.nextInt(LENGTH_MIN, LENGTH_MAX))
                .map(at -> character(kind, at, random))
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static int character(int kind, int at, RandomGenerator random) {
        return switch (kind) {
            case 0 -> of(LETTERS, random);
            case 1 -> of(LETTERS + "+/=", random);
            case 2 -> of(LETTERS + SIGNS, random);
            // A text of several lines, like a private key.
            case 3 -> at % 24 == 23 ? '\n' : of(LETTERS, random);
            default ->
                switch (random.nextInt(6)) {
                    case 0 -> random.nextInt(FIRST_HAN, LAST_HAN);
                    case 1 -> random.nextInt(FIRST_EMOJI, LAST_EMOJI);
                    default -> of(LETTERS + "äöüßé", random);
                };
        };
    }

    private static int of(String alphabet, RandomGenerator random) {
        return alphabet.charAt(random.nextInt(alphabet.length()));
    }

    /** What nobody may read: the secret in all spellings, each with the length from which a part of it counts. */
    Map<String, Integer> readable() {
        Map<String, Integer> readable = new TreeMap<>();
        byte[] bytes = value.getBytes(UTF_8);
        String form = URLEncoder.encode(value, UTF_8);
        add(readable, value, 10);
        add(readable, json(value), 16);
        add(readable, ascii(json(value)), 24);
        add(readable, form, 16);
        add(readable, form.replace("+", "%20"), 16);
        add(readable, HexFormat.of().formatHex(bytes), 20);
        add(readable, HexFormat.of().withUpperCase().formatHex(bytes), 20);
        add(readable, value.chars().mapToObj(SpilledSecret::code).collect(Collectors.joining()), 42);
        for (int before = 0; before < 3; before++) {
            byte[] shifted = new byte[before + bytes.length];
            System.arraycopy(bytes, 0, shifted, before, bytes.length);
            // Only those characters that belong to the secret alone.
            int from = (before * 8 + 5) / 6;
            int to = shifted.length * 8 / 6;
            add(readable, Base64.getEncoder().encodeToString(shifted).substring(from, to), 14);
            add(readable, Base64.getUrlEncoder().encodeToString(shifted).substring(from, to), 14);
        }
        return readable;
    }

    private static void add(Map<String, Integer> readable, String text, int length) {
        readable.merge(text, length, Math::min);
    }

    /** What a script has to know besides the secret. */
    List<Object> how() {
        return Arrays.asList(spelling, beside);
    }

    private static String json(String text) {
        String quoted = TextNode.valueOf(text).toString();
        return quoted.substring(1, quoted.length() - 1);
    }

    private static String ascii(String json) {
        return json.chars()
                .mapToObj(c -> c < 0x80 ? String.valueOf((char) c) : code(c))
                .collect(Collectors.joining());
    }

    private static String code(int c) {
        return String.format(Locale.ROOT, "\\u%04x", c);
    }
}
