@NullMarked
package dev.millrace.cli.alert;

import org.jspecify.annotations.NullMarked;
