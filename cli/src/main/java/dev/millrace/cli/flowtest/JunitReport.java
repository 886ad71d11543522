package dev.millrace.cli.flowtest;

import dev.millrace.flowtest.file.FlowTestRunner;
import java.util.List;
import java.util.Locale;

/** Results of tests in the XML format of JUnit, which CI systems read. */
final class JunitReport {
    private static final double NANOS_PER_SECOND = 1e9;

    private JunitReport() {}

    static String of(List<TestCommand.Outcome> outcomes) {
        StringBuilder xml = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
        outcomes.forEach(outcome -> append(xml, outcome));
        return xml.append("</testsuites>\n").toString();
    }

    private static void append(StringBuilder xml, TestCommand.Outcome outcome) {
        String file = escaped(outcome.file().file().toString());
        long failures =
                outcome.results().stream().filter(result -> !result.passed()).count();
        int errors = outcome.problems().isEmpty() ? 0 : 1;
        xml.append("  <testsuite name=\"%s\" tests=\"%d\" failures=\"%d\" errors=\"%d\">\n"
                .formatted(file, outcome.results().size() + errors, failures, errors));
        if (errors > 0) {
            String text = escaped(String.join("\n", outcome.problems()));
            xml.append("    <testcase name=\"%s\" classname=\"%s\">\n".formatted(file, file))
                    .append("      <error message=\"The file cannot be used.\">")
                    .append(text)
                    .append("</error>\n    </testcase>\n");
        }
        outcome.results().forEach(result -> append(xml, file, result));
        xml.append("  </testsuite>\n");
    }

    private static void append(StringBuilder xml, String file, FlowTestRunner.Result result) {
        xml.append(String.format(
                Locale.ROOT,
                "    <testcase name=\"%s\" classname=\"%s\" line=\"%d\" time=\"%.3f\"",
                escaped(result.test().name()),
                file,
                result.test().line(),
                result.took().toNanos() / NANOS_PER_SECOND));
        if (result.passed()) {
            xml.append("/>\n");
            return;
        }
        String text = escaped(String.join("\n", result.differences()));
        xml.append(">\n      <failure message=\"The run differs from what the test expects.\">")
                .append(text)
                .append("</failure>\n    </testcase>\n");
    }

    /** The text without what XML cannot contain. */
    private static String escaped(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().forEach(character -> {
            switch (character) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                case '\n' -> safe.append("&#10;");
                default -> safe.appendCodePoint(isAllowed(character) ? character : '\ufffd');
            }
        });
        return safe.toString();
    }

    private static boolean isAllowed(int character) {
        boolean isSurrogate = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
        return character >= ' ' && !isSurrogate && character != 0xFFFE && character != 0xFFFF;
    }
}
