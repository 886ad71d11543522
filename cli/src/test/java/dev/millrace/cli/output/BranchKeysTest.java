package dev.millrace.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.CommandFailure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BranchKeysTest {
    private static final BranchKeys KEYS = new BranchKeys(Map.of("both", List.of("sub", "other"), "twice", List.of()));

    @ParameterizedTest
    @CsvSource({
        "both[1].y, both[1 other].y",
        "both[0], both[0 sub]",
        "groups[1].both[1].y[3], groups[1].both[1 other].y[3]",
        "both[7], both[7]",
        "twice[0], twice[0]",
        "both, both",
        "count[3].tokenize, count[3].tokenize",
    })
    void theNameStandsBesideTheNumber(String key, String shown) {
        assertThat(KEYS.shown(key)).isEqualTo(shown);
        assertThat(KEYS.numbered(shown)).isEqualTo(key);
    }

    @Test
    void messagesNameTheBranchInTheKeyWithWhichTheyBegin() {
        assertThat(KEYS.shownIn("Step \"both[1].y\" failed: both[1].y"))
                .isEqualTo("Step \"both[1 other].y\" failed: both[1].y");
        assertThat(KEYS.shownIn("both[1] is bad")).isEqualTo("both[1] is bad");
    }

    @Test
    void theNameAloneMayBeTyped() {
        assertThat(KEYS.numbered("groups[0].both[other].y")).isEqualTo("groups[0].both[1].y");
        assertThat(BranchKeys.isNamed("groups[0].both[other].y")).isTrue();
        assertThat(BranchKeys.isNamed("groups[0].both[1].y")).isFalse();
    }

    @Test
    void anUnknownNameIsRefusedWithThoseThatExist() {
        assertThatThrownBy(() -> KEYS.numbered("both[othr].y"))
                .isInstanceOf(CommandFailure.class)
                .hasMessage("The step \"both\" has no branch \"othr\". Its branches are sub, other.");
    }

    @Test
    void theServerJudgesWhatIsNotKnownHere() {
        assertThat(KEYS.numbered("twice[sub]")).isEqualTo("twice[sub]");
        assertThat(BranchKeys.NONE.numbered("both[sub]")).isEqualTo("both[sub]");
    }
}
