package dev.millrace.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** How the settings of dedicated workers are read. */
final class DedicatedTargetTest {
    @Test
    void readsWorkspaceKindPathAndNumber() {
        assertThat(DedicatedTarget.parse("shop/order.py"))
                .isEqualTo(new DedicatedTarget("default", false, "shop/order.py", 1));
        assertThat(DedicatedTarget.parse("flow:shop/checkout=3"))
                .isEqualTo(new DedicatedTarget("default", true, "shop/checkout", 3));
        assertThat(DedicatedTarget.parse("acme:order.py=2"))
                .isEqualTo(new DedicatedTarget("acme", false, "order.py", 2));
        assertThat(DedicatedTarget.parse("acme:flow:orders")).isEqualTo(new DedicatedTarget("acme", true, "orders", 1));
        assertThat(DedicatedTarget.parse("flow:flow:orders")).isEqualTo(new DedicatedTarget("flow", true, "orders", 1));
        assertThat(DedicatedTarget.parse("acme:flow:orders=2")).hasToString("acme:flow:orders=2");
    }

    @Test
    void refusesWhatItCannotRead() {
        for (String text : new String[] {"", "a b", "order.py=0", "order.py=", ":order.py", "a:b:order.py", "=2"}) {
            assertThatThrownBy(() -> DedicatedTarget.parse(text))
                    .as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("[WORKSPACE:]flow:PATH[=COUNT]");
        }
    }
}
