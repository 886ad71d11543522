package dev.millrace.text.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindmillHeaderTest {
    @ParameterizedTest
    @ValueSource(strings = {"# requirements:\n", "#requirements:\n", "import os\n# requirements:\n"})
    void readsAllPackagesOfAFile(String head) {
        assertThat(WindmillHeader.of(
                        head + "# humanize==4.9.0\n#requests>=2\n\n# later\nimport humanize # pin: x==1\n"))
                .isEqualTo(new WindmillHeader(
                        Optional.of(List.of("humanize==4.9.0", "requests>=2")), List.of(), List.of()));
    }

    @Test
    void aListEndsAtTheFirstLineThatIsNoRequirement() {
        assertThat(WindmillHeader.of("#requirements:\n# a==1\n# a sentence follows\n# b==2\n")
                        .requirements())
                .hasValue(List.of("a==1"));
        assertThat(WindmillHeader.of("#requirements:\ndef main(): pass\n").requirements())
                .hasValue(List.of());
    }

    @Test
    void readsWhatImportsDoNotTell() {
        assertThat(WindmillHeader.of("#extra_requirements:\n#pyarrow==15.0.0\nimport pandas\n"))
                .isEqualTo(new WindmillHeader(Optional.empty(), List.of("pyarrow==15.0.0"), List.of()));
        assertThat(WindmillHeader.of("# extra_requirements:\n# pyarrow\n").extra())
                .containsExactly("pyarrow");
    }

    @Test
    void readsVersionsBehindImports() {
        String source = """
                import pandas # pin: pandas==2.1.0
                import a.b as c   #repin: ab<2
                from x.y import (
                    z,
                ) # pin: xy[extra]>=1
                from w import v, u # pin: w==3
                def main():
                    import late # pin: late==4
                import plain # why
                """;
        assertThat(WindmillHeader.of(source).pins())
                .containsExactly(
                        new WindmillHeader.Pin("pandas", "pandas==2.1.0", false),
                        new WindmillHeader.Pin("a.b", "ab<2", true),
                        new WindmillHeader.Pin("x.y", "xy[extra]>=1", false),
                        new WindmillHeader.Pin("w", "w==3", false),
                        new WindmillHeader.Pin("late", "late==4", false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "import os\n", "text = '# requirements:'\n", "# requirements are few\n"})
    void otherFilesSayNothing(String source) {
        assertThat(WindmillHeader.of(source)).isEqualTo(new WindmillHeader(Optional.empty(), List.of(), List.of()));
    }
}
