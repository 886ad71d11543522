package dev.millrace.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads and writes durations as people write them: a number and a unit, such as {@code 250ms}, {@code 1.5s}, {@code 5m}, {@code 2h}, {@code 7d}. */
public final class Durations {
    /** Longer durations are not read: nothing waits that long, and their milliseconds fit into a {@code long}. */
    public static final Duration LONGEST = Duration.ofDays(365_000);

    private static final String AMOUNT = "[0-9]{1,12}(?:\\.[0-9]{1,9})?";
    private static final Pattern ONE = Pattern.compile("(" + AMOUNT + ")(ms|s|m|h|d)");
    private static final Pattern PART = Pattern.compile("\\s*(" + AMOUNT + ")\\s*([a-zA-Z]+)\\s*");
    private static final int NANO_DIGITS = 9;
    /** Units longer than a second, the longest first. */
    private static final List<Whole> WHOLES =
            List.of(new Whole("d", 86_400), new Whole("h", 3_600), new Whole("m", 60));

    private Durations() {}

    /** Reads one number and its unit; empty for anything else. What is shorter than a nanosecond is dropped. */
    public static Optional<Duration> parse(String text) {
        Matcher matcher = ONE.matcher(text);
        return matcher.matches() ? of(matcher.group(1), matcher.group(2)) : Optional.empty();
    }

    /** Reads the sum of several durations, whose units may be words: {@code 1h 30m}, {@code 2 days 3 hours}; empty for anything else. */
    public static Optional<Duration> parseSum(String text) {
        Matcher matcher = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (end < text.length()) {
            Optional<Duration> part = matcher.find(end) && matcher.start() == end
                    ? of(matcher.group(1), matcher.group(2).toLowerCase(Locale.ROOT))
                    : Optional.empty();
            if (part.isEmpty()) {
                return Optional.empty();
            }
            sum = sum.plus(part.get());
            end = matcher.end();
        }
        return text.isEmpty() ? Optional.empty() : Optional.of(sum);
    }

    /**
     * The text that {@link #parse} reads as the same duration: a whole number of the largest unit that fits, or
     * milliseconds. Negative durations, which nobody can write, get a sign.
     */
    public static String text(Duration duration) {
        if (duration.isNegative()) {
            return "-" + text(duration.negated());
        }
        if (duration.toNanosPart() != 0) {
            return nanos(duration).movePointLeft(6).stripTrailingZeros().toPlainString() + "ms";
        }
        long seconds = duration.toSeconds();
        for (Whole unit : WHOLES) {
            if (seconds != 0 && seconds % unit.seconds() == 0) {
                return seconds / unit.seconds() + unit.name();
            }
        }
        return seconds + "s";
    }

    private record Whole(String name, long seconds) {}

    private static BigDecimal nanos(Duration duration) {
        return BigDecimal.valueOf(duration.toSeconds())
                .movePointRight(NANO_DIGITS)
                .add(BigDecimal.valueOf(duration.toNanosPart()));
    }

    private static Optional<Duration> of(String amount, String unit) {
        return unit(unit)
                .map(length -> nanos(length).multiply(new BigDecimal(amount)))
                .filter(nanos -> nanos.compareTo(nanos(LONGEST)) <= 0)
                .map(nanos -> ofNanos(nanos.setScale(0, RoundingMode.DOWN).toBigInteger()));
    }

    private static Duration ofNanos(BigInteger nanos) {
        BigInteger[] seconds = nanos.divideAndRemainder(BigInteger.TEN.pow(NANO_DIGITS));
        return Duration.ofSeconds(seconds[0].longValueExact(), seconds[1].longValueExact());
    }

    private static Optional<Duration> unit(String unit) {
        return switch (unit) {
            case "ms" -> Optional.of(Duration.ofMillis(1));
            case "s", "sec", "secs", "second", "seconds" -> Optional.of(Duration.ofSeconds(1));
            case "m", "min", "mins", "minute", "minutes" -> Optional.of(Duration.ofMinutes(1));
            case "h", "hr", "hrs", "hour", "hours" -> Optional.of(Duration.ofHours(1));
            case "d", "day", "days" -> Optional.of(Duration.ofDays(1));
            default -> Optional.empty();
        };
    }
}
