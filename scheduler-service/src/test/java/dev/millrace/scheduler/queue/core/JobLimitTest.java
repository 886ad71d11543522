package dev.millrace.scheduler.queue.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobLimitTest {
    @ParameterizedTest
    @CsvSource({
        "shop, k, @limit/w/shop/k",
        "shop, a/b, @limit/w/shop/a/b",
        "'', k, @limit/w//k",
        "shop, /k, @limit/w///k",
        "'', /k, @limit/w///k",
    })
    void namesALineByItsFolder(String folder, String key, String tag) {
        JobLimit limit = new JobLimit(key, OptionalInt.of(1), Optional.empty());

        assertThat(limit.tag(Workspace.of("w"), folder)).isEqualTo(tag).matches(JobLimit::isTag);
        assertThat(JobLimit.keyOf(tag)).isEqualTo(key);
    }
}
