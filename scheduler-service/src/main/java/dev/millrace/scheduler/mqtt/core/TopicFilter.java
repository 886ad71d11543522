package dev.millrace.scheduler.mqtt.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Optional;

/**
 * Topics to which a session subscribes: a topic with the wildcards {@code +} for one level and {@code #} for all further
 * ones, and maybe {@code $share/GROUP/} before it.
 */
public record TopicFilter(String text) {
    /** Maximum length of a filter in bytes of UTF-8. */
    public static final int BYTES_MAX = 1_000;

    private static final String SHARE = "$share/";
    private static final String ONE = "+";
    private static final String REST = "#";

    public TopicFilter {
        requireNonNull(text, "text");
    }

    /** Why a text is no filter, as a clause; empty if it is one. */
    public static Optional<String> problem(String text) {
        if (text.isEmpty() || text.getBytes(UTF_8).length > BYTES_MAX) {
            return Optional.of("it is empty or longer than " + BYTES_MAX + " bytes");
        }
        if (text.chars().anyMatch(Character::isISOControl) || !text.equals(new String(text.getBytes(UTF_8), UTF_8))) {
            return Optional.of("it has characters that no topic may have");
        }
        if (text.startsWith(SHARE)) {
            List<String> parts = List.of(text.split("/", 3));
            if (parts.size() < 3
                    || parts.get(1).isEmpty()
                    || parts.get(1).contains(ONE)
                    || parts.get(1).contains(REST)
                    || parts.get(2).isEmpty()) {
                return Optional.of("a shared subscription is written $share/GROUP/FILTER");
            }
        }
        List<String> levels = new TopicFilter(text).levels();
        for (int index = 0; index < levels.size(); index++) {
            String level = levels.get(index);
            if (level.contains(ONE) && !level.equals(ONE)) {
                return Optional.of("+ stands for a whole level");
            }
            if (level.contains(REST) && (!level.equals(REST) || index < levels.size() - 1)) {
                return Optional.of("# stands for all levels at the end");
            }
        }
        return Optional.empty();
    }

    /** The levels of a topic. */
    public static List<String> levels(String topic) {
        return List.of(topic.split("/", -1));
    }

    /** The levels of the topics, without the group of a shared subscription. */
    private List<String> levels() {
        return levels(text.startsWith(SHARE) ? text.split("/", 3)[2] : text);
    }

    /** Whether a message of this topic is for the subscription. Wildcards at the begin match no topic that begins with $. */
    public boolean matches(String topic) {
        List<String> levels = levels();
        boolean isOfServer = topic.startsWith("$");
        return !(isOfServer && isWildcard(levels.getFirst())) && matches(levels, levels(topic));
    }

    private static boolean matches(List<String> filter, List<String> topic) {
        for (int index = 0; index < filter.size(); index++) {
            String level = filter.get(index);
            if (level.equals(REST)) {
                return true;
            }
            if (index >= topic.size() || !(level.equals(ONE) || level.equals(topic.get(index)))) {
                return false;
            }
        }
        return filter.size() == topic.size();
    }

    /** Whether some topic matches both filters, so that its messages could come twice. */
    public boolean overlaps(TopicFilter other) {
        List<String> one = levels();
        List<String> another = other.levels();
        boolean isOfServer =
                one.getFirst().startsWith("$") || another.getFirst().startsWith("$");
        if (isOfServer && !one.getFirst().equals(another.getFirst())) {
            return false;
        }
        for (int index = 0; index < Math.max(one.size(), another.size()); index++) {
            String left = index < one.size() ? one.get(index) : "";
            String right = index < another.size() ? another.get(index) : "";
            if (left.equals(REST) || right.equals(REST)) {
                return true;
            }
            boolean isEnd = index >= one.size() || index >= another.size();
            if (isEnd) {
                return false;
            }
            if (!left.equals(ONE) && !right.equals(ONE) && !left.equals(right)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isWildcard(String level) {
        return level.equals(ONE) || level.equals(REST);
    }
}
