import { CamelCasePlugin, type PluginTransformResultArgs } from 'kysely';

/**
 * Names in statements are written in camel case. Rows have such names already, by `RowQuery`. Without
 * maintainNestedObjectKeys the keys of free-form JSON would be rewritten, too.
 */
class CamelCaseNames extends CamelCasePlugin {
  override transformResult = async ({ result }: PluginTransformResultArgs) => result;
  override camelCase(name: string): string {
    return super.camelCase(name);
  }
}

export const camelCaseNames = new CamelCaseNames({ maintainNestedObjectKeys: true });
