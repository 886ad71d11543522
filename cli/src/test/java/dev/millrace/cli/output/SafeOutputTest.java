package dev.millrace.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.client.Json;
import dev.millrace.cli.client.LogChunk;
import dev.millrace.cli.client.Run;
import dev.millrace.cli.client.Step;
import java.io.ByteArrayOutputStream;
import java.util.Random;
import java.util.regex.Pattern;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafeOutputTest {
    private static final String ESC = "\u001b";
    private static final Pattern STYLE = Pattern.compile("\u001b\\[[0-9;]*m");
    /** The live tree's own sequences: some lines up, and erase the lines below. */
    private static final Pattern OWN_MOVEMENT = Pattern.compile("\u001b\\[1F\u001b\\[2K");

    private static final int TEXTS = 400;
    private static final int TEXT_LENGTH_MAX = 60;

    private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource({
        "'\u001b]52;c;cm0gLXJm\u0007', '\\x1b]52;c;cm0gLXJm\\x07'",
        "'\u001b]0;title\u001b\\', '\\x1b]0;title\\x1b\\'",
        "'\u001b[2Jgone', '\\x1b[2Jgone'",
        "'a\u001b[5Ab', 'a\\x1b[5Ab'",
        "'\u009b31m', '\\x9b31m'",
        "'done\rfail', 'done\\rfail'",
        "'a\bb\u0000', 'a\\x08b\\x00'",
        "'user\u202etxt.exe', 'user\\u202etxt.exe'",
        "'\u2067x\u2069', '\\u2067x\\u2069'",
        "'\u007f', '\\x7f'",
    })
    void showsControlCharactersAsText(String text, String visible) {
        terminal(true).out().println(text);

        assertThat(shown()).isEqualTo(visible + "\n");
    }

    @Test
    void leavesTextAsItIs() {
        String text = "tab\tline\r\nnext Grüße 日本語 👩‍👩‍👧 \\x1b שלום\n";

        terminal(true).out().print(text);

        assertThat(shown()).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"31", "1;4;92", "38;5;208", "48;2;1;2;3;1", "7"})
    void letsColorsEndWithTheirLine(String style) {
        terminal(true).out().print(ESC + "[" + style + "mred\nplain\n");

        assertThat(shown()).isEqualTo(ESC + "[" + style + "mred" + ESC + "[0m\nplain\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "1;8", "5", "38", "38;5", "38;2;1;1", "1000"})
    void showsStylesThatHideTextOrAreNone(String style) {
        terminal(true).out().print(ESC + "[" + style + "mx\n");

        assertThat(shown()).isEqualTo("\\x1b[" + style + "mx\n");
    }

    @Test
    void showsColorsAsTextWhereThereAreNone() {
        terminal(false).out().print(ESC + "[31mred\n");

        assertThat(shown()).isEqualTo("\\x1b[31mred\n");
    }

    @Test
    void keepsWhatIsWantedRaw() {
        Terminal terminal = terminal(false);
        terminal.showRaw();
        terminal.out().print(ESC + "]0;title\u0007\r\u009b");

        assertThat(shown()).isEqualTo(ESC + "]0;title\u0007\r\u009b");
    }

    @Test
    void joinsWhatIsWrittenInPieces() {
        Terminal terminal = terminal(true);
        for (char c : (ESC + "[31mä€" + ESC + "[0m\n").toCharArray()) {
            terminal.out().append(c);
        }

        assertThat(shown()).isEqualTo(ESC + "[31mä€" + ESC + "[0m\n");
    }

    /**
     * Whatever jobs print, and however steps and errors are named, only text, styles and the view's own movements come
     * out.
     */
    @RepeatedTest(3)
    void neverPassesAnythingElse() {
        long seed = System.nanoTime();
        System.out.println("SafeOutputTest: seed " + seed);
        var random = new Random(seed);
        for (int i = 0; i < TEXTS; i++) {
            boolean hasColor = random.nextBoolean();
            Terminal terminal = Terminal.over(shown, shown, random.nextBoolean() ? 24 : 0, 80, hasColor);
            try (RunView view = RunView.of(terminal)) {
                view.run(Run.of(Json.object()
                        .put("id", text(random))
                        .put("state", "running")
                        .put("name", text(random))));
                for (int step = 0; step < 3; step++) {
                    var json = Json.object()
                            .put("key", text(random))
                            .put("state", "failed")
                            .put("worker", text(random));
                    json.putObject("error").put("name", text(random)).put("message", text(random));
                    view.step(Step.of(json));
                    view.log(LogChunk.of(Json.object()
                            .put("step", text(random))
                            .put("stream", "stdout")
                            .put("text", text(random))));
                }
            }
            new Table("A", "B")
                    .row(text(random), text(random))
                    .lines(terminal.paint())
                    .forEach(terminal.out()::println);
            terminal.out().println(text(random));
            String json = Json.pretty(Json.object().put("text", text(random)));
            terminal.err().println(json);
            terminal.out().flush();

            String seen = shown();
            shown.reset();
            String rest = OWN_MOVEMENT.matcher(seen).replaceAll("");
            rest = hasColor ? STYLE.matcher(rest).replaceAll("") : rest;
            assertThat(rest.codePoints()
                            .filter(c -> c != '\n' && c != '\t' && c != '\r')
                            .filter(ControlCharacters::contains))
                    .as("control characters in %s", rest)
                    .isEmpty();
            assertThat(rest.replace("\r\n", ""))
                    .as("a return that is no line end")
                    .doesNotContain("\r");
            // Half a surrogate pair has no encoding.
            assertThat(seen).as("JSON keeps its text").contains(new String(json.getBytes(UTF_8), UTF_8));
        }
    }

    private static String text(Random random) {
        String[] pieces = {
            ESC,
            "[",
            "]",
            "52;c;",
            "\u0007",
            "31m",
            "8m",
            "m",
            ";",
            "2J",
            "1A",
            "\u009b",
            "\u009d",
            "\r",
            "\n",
            "\t",
            "\b",
            "\u202e",
            "\u2066",
            "\u0000",
            "ä",
            "日",
            "👩",
            "\ud800",
            "x",
            "count[3].",
            ".",
            "\u007f",
            "\u2028",
            ESC + "[",
            ESC + "[2K",
            ESC + "[1F",
            ESC + "P"
        };
        var text = new StringBuilder();
        int length = random.nextInt(TEXT_LENGTH_MAX);
        for (int i = 0; i < length; i++) {
            text.append(pieces[random.nextInt(pieces.length)]);
        }
        return text.toString();
    }

    private Terminal terminal(boolean hasColor) {
        return Terminal.over(shown, shown, hasColor ? 24 : 0, 80, hasColor);
    }

    private String shown() {
        return shown.toString(UTF_8);
    }
}
