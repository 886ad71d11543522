package dev.millrace.scheduler.mqtt.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TopicFilterTest {
    @Test
    void matchesTopics() {
        record Case(String filter, String topic, boolean matches) {}
        for (Case one : List.of(
                new Case("a/b", "a/b", true),
                new Case("a/b", "a/b/", false),
                new Case("a/+", "a/b", true),
                new Case("a/+", "a/", true),
                new Case("a/+", "a", false),
                new Case("a/+", "a/b/c", false),
                new Case("+/+", "/a", true),
                new Case("a/#", "a", true),
                new Case("a/#", "a/b/c", true),
                new Case("#", "a/b", true),
                new Case("#", "$SYS/uptime", false),
                new Case("+/uptime", "$SYS/uptime", false),
                new Case("$SYS/#", "$SYS/uptime", true),
                new Case("$share/g/a/+", "a/b", true),
                new Case("$share/g/a/+", "g/a/b", false))) {
            assertThat(new TopicFilter(one.filter()).matches(one.topic()))
                    .as("%s", one)
                    .isEqualTo(one.matches());
        }
    }

    @Test
    void overlapsWhereATopicMatchesBoth() {
        List<String> topics = words(List.of("a", "b", "", "$s"), 3);
        List<TopicFilter> filters = words(List.of("a", "", "+", "#", "$s"), 2).stream()
                .filter(text -> TopicFilter.problem(text).isEmpty())
                .map(TopicFilter::new)
                .toList();
        assertThat(filters).hasSizeGreaterThan(15);
        for (TopicFilter one : filters) {
            for (TopicFilter another : filters) {
                boolean isCommon = topics.stream().anyMatch(topic -> one.matches(topic) && another.matches(topic));
                assertThat(one.overlaps(another)).as("%s and %s", one, another).isEqualTo(isCommon);
            }
        }
    }

    @Test
    void refusesWhatIsNoFilter() {
        for (String wrong : List.of(
                "",
                "a/b#",
                "a/#/b",
                "a+/b",
                "#/",
                "$share/g",
                "$share//a",
                "$share/g/",
                "$share/+/a",
                "a\0",
                "\ud800",
                "x".repeat(TopicFilter.BYTES_MAX + 1))) {
            assertThat(TopicFilter.problem(wrong)).as(wrong).isPresent();
        }
        for (String right : List.of("/", "a//b", "+", "#", "$share/g/#", "$SYS/#", "ä/+")) {
            assertThat(TopicFilter.problem(right)).as(right).isEmpty();
        }
    }

    /** All texts of up to so many levels of these. */
    private static List<String> words(List<String> levels, int most) {
        List<String> all = new ArrayList<>(levels);
        for (int length = 1; length < most; length++) {
            List<String> longer = all.stream()
                    .flatMap(text -> levels.stream().flatMap(level -> Stream.of(text + "/" + level)))
                    .toList();
            longer.stream().filter(text -> !all.contains(text)).forEach(all::add);
        }
        return all;
    }
}
