package dev.millrace.cli.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ApiPathTest {
    @Test
    void aPathKeepsItsSlashes() {
        assertThat(ApiPath.of("/flows").child("a b/c").text()).isEqualTo("/flows/a%20b/c");
    }

    /** With a slash, no address would exist at all, and the server could not say what is wrong with the name. */
    @Test
    void aNameReachesTheServerWithASlash() {
        assertThat(ApiPath.of("/alerts").name("ops/slack").text()).isEqualTo("/alerts/ops%2Fslack");
    }
}
