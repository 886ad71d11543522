package dev.millrace.scheduler.trigger;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class AllowedHostsTest {
    @Test
    void givesTheSameReasonEachTime() {
        AllowedHosts hosts = new AllowedHosts(true);

        for (int times = 0; times < 2; times++) {
            assertThatThrownBy(() -> hosts.resolve("broker.invalid"))
                    .isInstanceOf(UnknownHostException.class)
                    .hasMessage("the address of broker.invalid cannot be looked up");
        }
    }
}
