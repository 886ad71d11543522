package dev.millrace.worker;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {
    private static final JavaClasses SDK = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .importPackages("dev.millrace.worker");

    @Test
    void thePublicApiShowsNoInternalOrGeneratedType() {
        classes()
                .that()
                .resideInAPackage("dev.millrace.worker")
                .and()
                .arePublic()
                .should(showOnlyPublicTypes())
                .because(
                        "users compile against it: what it shows can never change. Keep such types in fields, or wrap them")
                .check(SDK);
    }

    @Test
    void featuresFormNoCycle() {
        slices().matching("dev.millrace.worker.internal.(*)..")
                .should()
                .beFreeOfCycles()
                .because("the session knows engines only by JobEngine; engines know the session's leases")
                .check(SDK);
    }

    @Test
    void theSessionKnowsNoEngine() {
        noClasses()
                .that()
                .resideInAPackage("..session..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("..handler..", "..process..")
                .because("an engine plugs in through JobEngine")
                .check(SDK);
    }

    private static ArchCondition<JavaClass> showOnlyPublicTypes() {
        return new ArchCondition<>("show only types that users may know") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                type.getMethods().stream()
                        .filter(method -> method.getModifiers().contains(JavaModifier.PUBLIC))
                        .forEach(method -> checkMethod(method, events));
            }
        };
    }

    private static void checkMethod(JavaMethod method, ConditionEvents events) {
        Stream.concat(method.getRawParameterTypes().stream(), Stream.of(method.getRawReturnType()))
                .filter(type -> type.getPackageName().startsWith("dev.millrace.worker.internal")
                        || type.getPackageName().startsWith("dev.millrace.proto"))
                .forEach(type -> events.add(
                        SimpleConditionEvent.violated(method, method.getFullName() + " shows " + type.getFullName())));
    }
}
