@NullMarked
package dev.millrace.cli.audit;

import org.jspecify.annotations.NullMarked;
