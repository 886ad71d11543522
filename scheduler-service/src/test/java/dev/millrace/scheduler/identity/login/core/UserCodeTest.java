package dev.millrace.scheduler.identity.login.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UserCodeTest {
    @Test
    void aCodeIsReadAsItIsShown() {
        Random random = new Random(7);
        for (int i = 0; i < 1_000; i++) {
            UserCode code = UserCode.make(random);

            assertThat(code.shown()).matches("[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}");
            assertThat(UserCode.parse(code.shown())).contains(code);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"BCDFGHJK", "bcdf-ghjk", " bcdf ghjk ", "BCDF\u2013GHJK", "b.c.d.f.g_h_j_k"})
    void caseAndSeparatorsDoNotMatter(String typed) {
        assertThat(UserCode.parse(typed)).contains(new UserCode("BCDFGHJK"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "BCDFGHJ", "BCDFGHJKL", "BCDF-GHJA", "BCDF-GHJ1", "\u0415CDFGHJK", "BCDF\0GHJK"})
    void whatIsNoCodeIsRefused(String typed) {
        assertThat(UserCode.parse(typed)).isEmpty();
    }

    @Test
    void noTextShowsTheCode() {
        assertThat(new UserCode("BCDFGHJK").toString()).doesNotContain("BCDF");
    }
}
