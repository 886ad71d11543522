package dev.millrace.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TracestateTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = false,
            value = {
                "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE|rojo=00f067aa0ba902b7,congo=t61rcWkgMzE",
                " one=1 ,\ttwo=2 ,,|one=1,two=2",
                "tenant@vendor=a b:c;d|tenant@vendor=a b:c;d",
                "1x_-*/=!|1x_-*/=!",
                "one=1,one=2|''",
                "One=1|''",
                "one|''",
                "one=|''",
                "=1|''",
                "one=a=b|''",
                "one=é|''",
                "one=1,bad key=2|''",
                ",|''",
            })
    void whatIsNotValidIsDropped(String given, String read) {
        assertThat(Tracestate.read(given)).isEqualTo(read);
    }

    @Test
    void membersAreCounted() {
        assertThat(Tracestate.read(members(32, "v"))).isEqualTo(members(32, "v"));
        assertThat(Tracestate.read(members(33, "v"))).isEmpty();
        assertThat(Tracestate.read("a=" + "v".repeat(20_000))).isEmpty();
        assertThat(Tracestate.read("a".repeat(257) + "=1")).isEmpty();
    }

    @Test
    void wholeMembersAreLeftOutOfLongTexts() {
        String large = "large=" + "v".repeat(200);
        String ten = members(10, "v".repeat(40));

        assertThat(Tracestate.read(large + "," + ten)).isEqualTo(ten);
        assertThat(Tracestate.read(members(20, "v".repeat(40))))
                .isEqualTo(members(11, "v".repeat(40)))
                .hasSizeLessThanOrEqualTo(Tracestate.LENGTH_MAX);
        assertThat(Tracestate.read("a=" + "v".repeat(255) + ",b=" + "v".repeat(252)))
                .hasSize(512);
    }

    @Test
    void membersKeepTheirOrderInSpans() {
        String read = members(5, "v");

        assertThat(Tracestate.members(read).asMap().keySet()).containsExactly("m0", "m1", "m2", "m3", "m4");
        assertThat(Tracestate.members("").isEmpty()).isTrue();
    }

    private static String members(int count, String value) {
        return IntStream.range(0, count).mapToObj(i -> "m" + i + "=" + value).collect(Collectors.joining(","));
    }
}
