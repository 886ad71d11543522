package dev.millrace.worker.internal.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LeaseKeyTest {
    @Test
    void keepsItsTokenSecret() {
        assertThat(new LeaseKey("job", 123456789).toString()).isEqualTo("job");
    }
}
