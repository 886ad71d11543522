package dev.millrace.worker.internal.python;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PythonRequirementTest {
    @ParameterizedTest
    @CsvSource({
        ">=3.11, 3.11.0, true",
        ">=3.11, 3.10.13, false",
        ">=3.9, 3.10.13, true",
        "'>=3.11,<3.13', 3.12.9, true",
        "'>= 3.11 , < 3.13', 3.13.0, false",
        "==3.12.*, 3.12.4, true",
        "==3.12.*, 3.1.2, false",
        "==3.12, 3.12.1, false",
        "==3.12, 3.12.0, true",
        "3.12, 3.12.1, true",
        "3.12, 3.13.0, false",
        "3.12.1, 3.12.1, true",
        "3.12.1, 3.12.2, false",
        "!=3.12.*, 3.12.1, false",
        "!=3.12.*, 3.13.0, true",
        "~=3.11, 3.99.0, true",
        "~=3.11, 4.0.0, false",
        "~=3.11.2, 3.11.9, true",
        "~=3.11.2, 3.12.0, false",
        ">3.11, 3.11.1, true",
        "<=3.11, 3.11.0, true",
        "<3.14.0a1, 3.13.0, true",
        "'', 3.10.0, true",
    })
    void matchesAsPep440Says(String requirement, String version, boolean expected) {
        assertThat(PythonRequirement.parse(requirement).matches(version(version)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"^3.11", "3", ">=3.11;", "~=3", ">=3.11.*", "python3", ">=99999", ">=3.11 <3.13"})
    void refusesWhatItCannotRead(String requirement) {
        assertThatThrownBy(() -> PythonRequirement.parse(requirement)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void wantsWhatBothWant() {
        PythonRequirement both = PythonRequirement.parse(">=3.11").and(PythonRequirement.parse("<3.13"));

        assertThat(both.text()).isEqualTo(">=3.11,<3.13");
        assertThat(both.matches(version("3.12.0"))).isTrue();
        assertThat(both.matches(version("3.13.0"))).isFalse();
        assertThat(PythonRequirement.ANY.and(both)).isEqualTo(both);
        assertThat(both.and(PythonRequirement.ANY)).isEqualTo(both);
    }

    @Test
    void readsTheMetadataOfAScript() {
        assertThat(PythonRequirement.ofScript("""
                \"""Says.\"""
                # /// script
                # dependencies = [
                #   "humanize",
                # ]
                #
                # requires-python = '>=3.12'
                # [tool.uv]
                # requires-python = "no"
                # ///
                def main(): pass
                """)).contains(">=3.12");
        assertThat(PythonRequirement.ofScript("# requires-python = \">=3.12\"\n"))
                .isEmpty();
        assertThat(PythonRequirement.ofScript("# /// script\n# ///\n# requires-python = \">=3.12\"\n"))
                .as("after the block")
                .isEmpty();
    }

    @Test
    void readsAProject() {
        assertThat(PythonRequirement.ofProject("[project]\nname = \"x\"\nrequires-python = \">=3.12\"\n[tool.x]\n"))
                .contains(">=3.12");
        assertThat(PythonRequirement.ofProject("[tool.x]\nrequires-python = \">=3.12\"\n"))
                .isEmpty();
    }

    private static PythonVersion version(String text) {
        String[] parts = text.split("\\.", -1);
        return new PythonVersion(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
    }
}
