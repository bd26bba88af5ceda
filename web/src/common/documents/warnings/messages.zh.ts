import type { en } from './messages.en';

export const zh: typeof en = {
  inFile: (name) => `（“${name}”内）`,
  pages: (count, ranges, more) => `第 ${ranges.join('、')} 页${more > 0 ? `等共 ${count} 页` : ''}`,
  names: (count, names, more) =>
    names.length === 0 ? `共 ${count} 处` : `${names.join('、')}${more > 0 ? ` 等共 ${count} 处` : ''}`,
  losses: {
    pages_without_text: {
      what: '只有图片的页面',
      advice: '请对这些页面进行文字识别（OCR），然后重新上传文件。',
    },
    unreadable_pages: {
      what: '已损坏的页面',
      advice: '请用相应程序打开文件，重新保存后再上传。',
    },
    unknown_characters: {
      what: '文件未定义的字符',
      advice: '这些页面可能缺字或有错字。请重新导出文件，或进行文字识别（OCR）后再上传。',
    },
    unreadable_attachments: {
      what: '未读取的附件',
      advice: '请去除密码，转换为 PDF、DOCX 或文本，再各自添加为单独的文档。',
    },
    sections_left_out: {
      what: '被视为导航或广告的部分',
      advice: '如果它们属于正文，请将其文字粘贴为单独的文档。',
    },
    unknown: { what: '丢失了此版本不认识的内容。', advice: '由较新版本的服务器读取：升级完成后再查看。' },
    unreadable_parts: {
      what: '损坏或缺失的部分',
      advice: '请用相应程序打开文件，重新保存后再上传。',
    },
  },
};
