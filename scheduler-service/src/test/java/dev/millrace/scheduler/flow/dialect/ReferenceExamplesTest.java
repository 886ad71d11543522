package dev.millrace.scheduler.flow.dialect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReferenceExamplesTest {
    private static final Path REFERENCE = Path.of("../docs/reference");
    private static final Pattern EXAMPLE = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(strings = {"millrace-dialect.md", "openflow-dialect.md"})
    void compilesEveryExampleOfTheReference(String document) throws IOException {
        assertThat(EXAMPLE.matcher(Files.readString(REFERENCE.resolve(document)))
                        .results()
                        .map(MatchResult::group))
                .isNotEmpty()
                .allSatisfy(example -> {
                    String definition = example.substring("```yaml\n".length(), example.length() - "```".length());
                    assertThat(FlowCompiler.compile(new FlowSource("flow.yaml", Optional.empty(), definition)))
                            .isInstanceOf(Compilation.Compiled.class);
                });
    }
}
