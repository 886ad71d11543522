@NullMarked
package dev.millrace.handler.sql;

import org.jspecify.annotations.NullMarked;
