package dev.millrace.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class DatabaseUrlTest {
    @Test
    void movesUserAndPasswordToTheFront() {
        assertThat(DatabaseUrl.of("jdbc:postgresql://localhost:5433/bench?user=ann&password=s%2Fecret"))
                .isEqualTo("postgresql://ann:s%2Fecret@localhost:5433/bench");
    }

    @Test
    void doesWithoutAPassword() {
        assertThat(DatabaseUrl.of("jdbc:postgresql://localhost:5433/bench?user=postgres"))
                .isEqualTo("postgresql://postgres@localhost:5433/bench");
    }
}
