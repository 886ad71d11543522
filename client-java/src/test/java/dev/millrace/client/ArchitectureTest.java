package dev.millrace.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {
    private static final JavaClasses CLIENT = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.millrace.client");

    /** Users compile against it: what it shows can never change. */
    @Test
    void thePublicApiShowsNoInternalOrGeneratedType() {
        List<String> shown = CLIENT.stream()
                .filter(type -> type.getPackageName().equals("dev.millrace.client"))
                .filter(type -> type.getModifiers().contains(JavaModifier.PUBLIC))
                .flatMap(type -> type.getMethods().stream())
                .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                .filter(ArchitectureTest::showsHiddenType)
                .map(JavaMember::getFullName)
                .toList();

        assertThat(shown).isEmpty();
    }

    /** Streams become consumers; everything else has the same parameters. */
    @Test
    void bothClientsHaveTheSameMethods() {
        assertThat(methods(AsyncMillraceClient.class)).isEqualTo(methods(MillraceClient.class));
    }

    private static boolean showsHiddenType(JavaMethod method) {
        return Stream.concat(method.getRawParameterTypes().stream(), Stream.of(method.getRawReturnType()))
                .map(JavaClass::getPackageName)
                .anyMatch(name -> name.contains(".internal") || name.startsWith("dev.millrace.proto"));
    }

    private static Set<String> methods(Class<?> client) {
        Set<String> ofBlockingOnly = Set.of("connect()", "builder()", "async()", "blobs()", "close()");
        return Arrays.stream(client.getDeclaredMethods())
                .filter(method -> java.lang.reflect.Modifier.isPublic(method.getModifiers()))
                .map(method -> method.getName()
                        + Arrays.stream(method.getParameterTypes())
                                .filter(type -> type != java.util.function.Consumer.class)
                                .map(Class::getSimpleName)
                                .collect(Collectors.joining(", ", "(", ")")))
                .filter(method -> !ofBlockingOnly.contains(method))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
