package dev.millrace.worker.internal.packages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.text.script.WindmillHeader;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class InferredPackagesTest {
    @Test
    void aVersionBehindAnImportTakesThePlaceOfItsPackage() {
        assertThat(of(List.of("yaml", "requests"), "import yaml # pin: PyYAML==6.0.1\n")
                        .names())
                .containsExactlyInAnyOrder("requests", "PyYAML==6.0.1");
        assertThat(of(List.of("fancy"), "import fancy # pin: other-name==1\n").names())
                .containsExactly("other-name==1");
    }

    @Test
    void aVersionBehindAnImportChoosesThePackageOfANamespace() {
        InferredPackages inferred = of(List.of("google.nothing"), "import google.nothing # pin: google-nothing==1\n");

        assertThat(inferred).isEqualTo(new InferredPackages(Set.of("google-nothing==1"), Map.of()));
    }

    @Test
    void extraRequirementsStandBesideImports() {
        assertThat(of(List.of("pandas"), "#extra_requirements:\n#pyarrow==15.0.0\n")
                        .names())
                .containsExactlyInAnyOrder("pandas", "pyarrow==15.0.0");
        assertThat(of(List.of("pandas"), "#extra_requirements:\n#Pandas==2.1.0\n")
                        .names())
                .containsExactly("Pandas==2.1.0");
    }

    @Test
    void pinsOfAllFilesCountUnlessOneOverridesThem() {
        assertThat(of(List.of("a"), "import a # pin: a>=1\n", "import a # pin: a<3\n")
                        .names())
                .containsExactlyInAnyOrder("a>=1", "a<3");
        assertThat(of(List.of("a"), "import a # pin: a>=1\n", "import a # repin: a==2\n")
                        .names())
                .containsExactly("a==2");
    }

    @Test
    void theListOfAnImportedFileCounts() {
        assertThat(of(List.of("a"), "import a\n", "# requirements:\n# b==1\n").names())
                .containsExactlyInAnyOrder("a", "b==1");
    }

    private static InferredPackages of(List<String> modules, String... sources) {
        return InferredPackages.of(modules)
                .with(Stream.of(sources).map(WindmillHeader::of).toList());
    }
}
