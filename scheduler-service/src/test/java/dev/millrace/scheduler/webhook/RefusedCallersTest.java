package dev.millrace.scheduler.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RefusedCallersTest {
    private static final String HOOK = "default/shop/orders";
    private static final String SENDER = "192.0.2.7";

    private long nanos;
    private final RefusedCallers refused = new RefusedCallers(() -> nanos);

    @Test
    void silencesAnAddressAtTheHookWhereItGuesses() {
        count(RefusedCallers.REFUSALS_MAX - 1, HOOK);
        assertThat(refused.areTooMany(SENDER, HOOK)).isFalse();

        count(1, HOOK);

        assertThat(refused.areTooMany(SENDER, HOOK)).isTrue();
        assertThat(refused.areTooMany(SENDER, "default/shop/returns")).isFalse();
        assertThat(refused.areTooMany("192.0.2.8", HOOK)).isFalse();
    }

    @Test
    void silencesAnAddressThatTriesManyHooks() {
        for (int hook = 0; hook < RefusedCallers.REFUSALS_OF_ALL_MAX; hook++) {
            count(1, "default/guess/" + hook);
        }

        assertThat(refused.areTooMany(SENDER, HOOK)).isTrue();
    }

    @Test
    void hearsAnAddressAgainAfterThePeriod() {
        count(RefusedCallers.REFUSALS_MAX, HOOK);

        nanos += RefusedCallers.PERIOD.toNanos() + 1;

        assertThat(refused.areTooMany(SENDER, HOOK)).isFalse();
    }

    private void count(int calls, String hook) {
        for (int call = 0; call < calls; call++) {
            refused.count(SENDER, hook);
        }
    }
}
